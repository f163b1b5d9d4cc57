import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files } from '../../scripts/generate/reference.ts'
import { loadAll, verbs } from '../../src/cli/verbs.ts'
import { variables } from '../../src/config/sources/variables.ts'

test.each(files().map(({ path, text }) => [path, text]))('%s is as `npm run generate` makes it', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('every variable the program reads is documented', () => {
  const read = new Set<string>()
  for (const path of globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))) {
    const text = readFileSync(path, 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:environment\[|fromEnvironment\()'(\w+)'/g)) read.add(name)
    for (const [, flag = ''] of text.matchAll(/fromFlag\('(\w+)'\)/g)) read.add(`DRAGOMAN_${flag.toUpperCase()}`)
  }
  expect(read.size).toBeGreaterThan(10)
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
