import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSettings, type Settings, undo } from './settings.ts'

type Format = Settings['format']

function merge(format: Format, value: object, before: string): string {
  return mergeSettings({ format, value: value as Settings['value'] }, before)
}

function write(format: Format, value: Readonly<Record<string, unknown>>, before: string | undefined) {
  return { format, value, after: merge(format, value, before ?? ''), ...(before !== undefined && { before }) }
}

test.each<[string, string, object, string]>([
  ['an empty object', '{}', { a: 1 }, '{\n  "a": 1\n}'],
  ['an object with only a comment', '{\n  // nothing yet\n}', { a: 1 }, '{\n  "a": 1\n  // nothing yet\n}'],
  ['a comment at the top', '// mine\n{\n  "a": 1\n}\n', { b: 2 }, '// mine\n{\n  "a": 1,\n  "b": 2\n}\n'],
  [
    'a comment between entries',
    '{\n  "a": 1, // one\n  "c": 3\n}',
    { b: 2 },
    '{\n  "a": 1, // one\n  "c": 3,\n  "b": 2\n}',
  ],
  ['a trailing comma', '{\n  "a": 1,\n}', { b: 2 }, '{\n  "a": 1,\n  "b": 2,\n}'],
  [
    'tabs',
    '{\n\t"a": {\n\t\t"x": 1\n\t}\n}',
    { a: { y: { z: 1 } } },
    '{\n\t"a": {\n\t\t"x": 1,\n\t\t"y": {\n\t\t\t"z": 1\n\t\t}\n\t}\n}',
  ],
  [
    'a value of another kind',
    '{\n  "a": "x", // old\n  "b": 1\n}',
    { a: { c: 1 } },
    '{\n  "a": {\n    "c": 1\n  }, // old\n  "b": 1\n}',
  ],
  ['the same value', '{ "a" :  1 }', { a: 1 }, '{ "a" :  1 }'],
  [
    'marks of comments in a string',
    '{\n  "a": "http://x /* y */"\n}',
    { b: 2 },
    '{\n  "a": "http://x /* y */",\n  "b": 2\n}',
  ],
  ['windows line ends', '{\r\n  "a": 1\r\n}', { b: 2 }, '{\r\n  "a": 1,\r\n  "b": 2\r\n}'],
  [
    'a list with that entry',
    '{\n  "l": [{"id": "x", "n": 1, "mine": true}]\n}',
    { l: [{ id: 'x', n: 2 }] },
    '{\n  "l": [{"id": "x", "n": 2, "mine": true}]\n}',
  ],
])('JSON with comments: %s', (_, before, wanted, after) => {
  expect(merge('json', wanted, before)).toBe(after)
})

test.each([
  '[]',
  '1',
  '{',
  '{"a": 2, "a": 3}',
  '{"a" 1}',
  '{"a": }',
  '{"a": 1 "b": 2}',
  '{a: 1}',
  '{"a": 1} x',
  '{"a": nope}',
  '{ /* ',
])('%j is no object to merge into', (text) => {
  expect(() => merge('json', { a: 1 }, text)).toThrow(SyntaxError)
})

const plain = fc
  .dictionary(
    fc.string({ minLength: 1, maxLength: 4 }).filter((key) => key !== '__proto__'),
    fc
      .jsonValue({ maxDepth: 2, noUnicodeString: false })
      .filter((value) => !JSON.stringify(value).includes('__proto__')),
    { maxKeys: 5 },
  )
  // As JSON writes it: -0 is 0.
  .map((fields): Record<string, unknown> => JSON.parse(JSON.stringify(fields)))

test('what is merged is there, what was there stays, and twice is once', () => {
  fc.assert(
    fc.property(plain, plain, fc.constantFrom(undefined, 1, 4, '\t'), (there, wanted, indent) => {
      const text = JSON.stringify(there, undefined, indent)
      const merged = merge('json', wanted, text)
      const value = JSON.parse(merged)
      expect(new Set(Object.keys(value))).toEqual(new Set([...Object.keys(there), ...Object.keys(wanted)]))
      for (const [key, kept] of Object.entries(there)) {
        if (!Object.hasOwn(wanted, key)) expect(JSON.stringify(value[key])).toBe(JSON.stringify(kept))
      }
      expect(merge('json', wanted, merged)).toBe(merged)
    }),
  )
})

const table = { model: 'm', window: 5, servers: { own: { name: 'Own', url: 'http://x/v1' } } }

test('fields of TOML are printed, tables last', () => {
  expect(merge('toml', { servers: { 'my own': { a: 'x "y"' } }, on: true }, '')).toBe(
    'on = true\n\n[servers."my own"]\na = "x \\"y\\""\n',
  )
})

test.each<[string, string, string]>([
  [
    'in a file without tables',
    '# mine\nother = 1\n',
    '# mine\nother = 1\nmodel = "m"\nwindow = 5\n\n[servers.own]\nname = "Own"\nurl = "http://x/v1"\n',
  ],
  [
    'in a file of tables alone',
    '[servers.other]\nname = "O"',
    'model = "m"\nwindow = 5\n\n[servers.other]\nname = "O"\n\n[servers.own]\nname = "Own"\nurl = "http://x/v1"\n',
  ],
  [
    'beside what is replaced, with its comments',
    'model = "old" # why\n\n[servers.own] # here\nurl = \'http://y\' # there\nkeep = [1, 2]\n\n[last]\na = 1\n',
    'model = "m" # why\nwindow = 5\n\n[servers.own] # here\nurl = "http://x/v1" # there\nkeep = [1, 2]\nname = "Own"\n\n[last]\na = 1\n',
  ],
  [
    'where texts look like tables and keys',
    'text = """\n[servers.own]\nmodel = "no"\n"""\nlist = [\n  "a", # ]\n  { model = "no" },\n]\ndate = 2026-11-15 10:00:00Z\n[servers.own]\n',
    'text = """\n[servers.own]\nmodel = "no"\n"""\nlist = [\n  "a", # ]\n  { model = "no" },\n]\ndate = 2026-11-15 10:00:00Z\nmodel = "m"\nwindow = 5\n[servers.own]\nname = "Own"\nurl = "http://x/v1"\n',
  ],
])('TOML stays as it was %s', (_, before, after) => {
  expect(merge('toml', table, before)).toBe(after)
  expect(merge('toml', table, after)).toBe(after)
})

test('a TOML table in dotted keys is written on', () => {
  expect(merge('toml', table, '[servers]\nown.name = "O"\nown.url = "x"\n')).toContain('own.url = "http://x/v1"')
})

test.each<[string, string]>([
  ['what is no TOML', 'model: m\n'],
  ['a text without an end', 'model = "m\n'],
  ['two values in a line', 'a = 1 b = 2\n'],
  ['a table of others that is written inline', 'servers = { other = { name = "O" } }\n'],
])('TOML with %s is left alone', (_, text) => {
  expect(() => merge('toml', table, text)).toThrow()
})

const provider = {
  model: 'dragoman/m',
  provider: { dragoman: { name: 'D', models: { m: { limit: { context: 1 } } } } },
}
const list = { models: [{ name: 'dragoman', roles: ['chat', 'edit'] }] }
const variables = { KEY: 'k', MODEL: 'm' }

test.each<[string, Format, Readonly<Record<string, unknown>>, string | undefined, (text: string) => string, string]>([
  [
    'a setting the user added behind',
    'json',
    provider,
    '{\n  // mine\n  "model": "x/y", // for work\n  "theme": "dark"\n}\n',
    (text) => text.replace(/\n\}\n$/, ',\n  "more": [1] // new\n}\n'),
    '{\n  // mine\n  "model": "x/y", // for work\n  "theme": "dark",\n  "more": [1] // new\n}\n',
  ],
  [
    'a setting the user added before, in one line',
    'json',
    provider,
    '{"theme": "dark"}',
    (text) => text.replace('"theme"', '"a": 1, "theme"'),
    '{\n  "a": 1,\n  "theme": "dark"\n}',
  ],
  [
    'a file that a client wrote anew',
    'json',
    provider,
    '{"theme": "dark", "provider": {"mine": {}}}',
    (text) => JSON.stringify({ ...JSON.parse(text), more: 1 }, undefined, 2),
    '{\n  "theme": "dark",\n  "provider": {\n    "mine": {}\n  },\n  "more": 1\n}',
  ],
  [
    'a model of the user beside ours',
    'json',
    provider,
    undefined,
    (text) => text.replace('"m": {', '"own": {},\n        "m": {'),
    '{\n  "provider": {\n    "dragoman": {\n      "models": {\n        "own": {}\n      }\n    }\n  }\n}\n',
  ],
  [
    'a value that the user changed since',
    'json',
    provider,
    '{\n  "model": "x/y"\n}',
    (text) => text.replace('"dragoman/m"', '"z/z"'),
    '{\n  "model": "z/z"\n}',
  ],
  [
    'another model in a list',
    'yaml',
    list,
    '# mine\nmodels:\n  - name: own # keep\n',
    (text) => `${text}  - name: third\nmore: 1\n`,
    '# mine\nmodels:\n  - name: own # keep\n  - name: third\nmore: 1\n',
  ],
  [
    'another variable',
    'env',
    variables,
    '# mine\nexport KEY=old\n',
    (text) => `${text}NEW=1\n`,
    '# mine\nexport KEY=old\nNEW=1\n',
  ],
  [
    'another table',
    'toml',
    { model: 'm', providers: { dragoman: { name: 'D', url: 'u' } } },
    '# mine\nmodel = "gpt" # best\n\n[tui]\na = 1\n',
    (text) => `${text}\n[more]\nb = 2\n`,
    '# mine\nmodel = "gpt" # best\n\n[tui]\na = 1\n\n[more]\nb = 2\n',
  ],
])('what was written goes, and %s stays', (_, format, value, before, change, expected) => {
  const written = write(format, value, before)
  expect(undo(written, change(written.after))).toBe(expected)
})

test('a list whose only entry was ours goes, and so does what was a frame for it', () => {
  const written = { ...write('yaml', list, undefined), value: { ...list, name: 'dragoman' } }
  expect(undo(written, `${written.after}mine: 1\n`)).toBe('mine: 1\n')
})
