import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Made once for the whole process, or once for each service. */
const lasting = new Set([
  'src/server/gateway.ts',
  'src/server/lookout.ts',
  'src/server/metrics/metrics.ts',
  'src/server/metrics/registry.ts',
  'src/server/access/overload.ts',
  'src/turn/services/breaker.ts',
  'src/upstreams/gate.ts',
  'src/upstreams/openai/service/identity.ts',
])

// Members of a class stand two spaces in, those of an object inside a function four or more.
const getter = /^ {4,}get \w+\(\)/m

test('no object that is made for a request has getters of its own: see docs/decisions/0024-speed.md', () => {
  const files = globSync('src/{protocol,schema,engine,turn,upstreams,doors,server}/**/*.ts', { cwd: root })
  const found = files.filter(
    (file) => !file.endsWith('.test.ts') && getter.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(found.filter((file) => !lasting.has(file))).toEqual([])
})
