import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const restricted = 'noRestrictedImports'

/** A file, what it says, and the rule that refuses it. */
const cases: readonly (readonly [path: string, code: string, rule?: string | undefined])[] = [
  ['src/engine/a.ts', "import '../turn/a.ts'", restricted],
  ['src/engine/deep/a.ts', "import '../../turn/a.ts'", restricted],
  ['src/engine/b.ts', "import type { A } from '../turn/a.ts'", restricted],
  ['src/engine/c.ts', "export { a } from '../turn/a.ts'", restricted],
  ['src/engine/d.ts', "export const later = import('../turn/a.ts')", restricted],
  ['src/engine/e.ts', "import '../dialects/hermes.ts'", restricted],
  ['src/engine/f.ts', "import '../dialects/dialect.ts'"],
  ['src/engine/g.ts', "import './text/a.ts'\nimport '../schema/a.ts'\nimport 'yaml'"],
  ['src/engine/h.ts', "import 'node:fs'", restricted],
  ['src/engine/i.ts', "import 'undici'", restricted],
  ['src/engine/j.ts', 'export const now = Date.now()', 'noRestrictedGlobals'],
  ['src/engine/k.ts', 'export const chance = Math.random()', 'noJsRestrictedProperties'],
  ['src/engine/l.test.ts', "import '../turn/a.ts'\nexport const now = Date.now()"],
  ['src/schema/a.ts', "import 'yaml'", restricted],
  ['src/schema/b.ts', "import '../clock.ts'", restricted],
  ['src/doors/a.ts', "import '../upstreams/upstream.ts'", restricted],
  ['src/doors/b.ts', "import '../turn/turns.ts'\nimport 'node:crypto'"],
  ['src/turn/a.ts', "import '../upstreams/registry.ts'", restricted],
  ['src/turn/b.ts', "import '../upstreams/upstream.ts'"],
  ['src/upstreams/a.ts', "import '../dialects/hermes.ts'", restricted],
  ['src/server/a.ts', "import '../cli/main.ts'", restricted],
  ['src/library/a.ts', "import '../server/visit.ts'", restricted],
  ['src/cli/a.ts', "import '../engine/reader.ts'", restricted],
  ['src/cli/explain/a.ts', "import '../../engine/reader.ts'"],
  ['src/errors.ts', "import './protocol/a.ts'", restricted],
  ['web/list/a.ts', "import '../../src/server/gateway.ts'", restricted],
  ['web/list/b.ts', "import '../../src/traces/api.ts'\nimport '../reader/engine.ts'"],
  ['src/turn/round.ts', "import './trip.ts'", 'noImportCycles'],
  ['src/turn/trip.ts', "import './round.ts'", 'noImportCycles'],
]

interface Finding {
  readonly category?: string
  readonly location?: { readonly path?: string | { readonly file?: string } }
}

const rules = new Set<string | undefined>(cases.map(([, , rule]) => rule))
const found = new Map<string, string>()

beforeAll(() => {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-imports-'))
  for (const [path, code] of cases) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${code}\n`)
  }
  cpSync('biome.imports.jsonc', join(root, 'biome.imports.jsonc'))
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }))
  const lint = ['lint', '--colors=off', '--reporter=json', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/@biomejs/biome/bin/biome'), ...lint], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const { category, location } of JSON.parse(stdout).diagnostics as readonly Finding[]) {
    const rule = category?.split('/').at(-1)
    const file = typeof location?.path === 'string' ? location.path : location?.path?.file
    if (file !== undefined && rule !== undefined && rules.has(rule)) found.set(file.replaceAll('\\', '/'), rule)
  }
  rmSync(root, { recursive: true, force: true })
}, 30_000)

test.each(cases)('%s with %s: %s', (path = '', _, rule) => {
  expect(found.get(path)).toBe(rule)
})

test('every folder of src has a rule', () => {
  const text = readFileSync('biome.imports.jsonc', 'utf8')
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).filter((name) => !text.includes(`"includes": ["src/${name}/**"]`))).toEqual([])
})
