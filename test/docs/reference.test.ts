import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files } from '../../scripts/generate/reference.ts'
import { variables } from '../../scripts/generate/variables.ts'
import { loadAll, verbs } from '../../src/cli/verbs.ts'
import { overrideVariables } from '../../src/config/sources/overrides.ts'

test.each(files().map(({ path, text }) => [path, text]))('%s is as `npm run generate` makes it', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('every variable the program reads is documented', () => {
  const read = new Set(overrideVariables)
  for (const path of globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))) {
    const text = readFileSync(path, 'utf8')
    for (const [, name = ''] of text.matchAll(/environment\['(\w+)'/g)) read.add(name)
  }
  expect(read.size).toBeGreaterThan(overrideVariables.length)
  const known = new Set([...variables.map(({ name }) => name), 'npm_lifecycle_event'])
  expect([...read].filter((name) => !known.has(name))).toEqual([])
})

test.each((await loadAll(verbs)).map((verb) => [verb.name, verb] as const))(
  'help of %s has examples and fits 80 columns',
  (_, { help }) => {
    expect(help).toContain('Examples:')
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  },
)
