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
  ['an object with only a comment', '{\n  // nothing yet\n}', { a: 1 }, '{\n  // nothing yet\n  "a": 1\n}'],
  ['a comment at the top', '// mine\n{\n  "a": 1\n}\n', { b: 2 }, '// mine\n{\n  "a": 1,\n  "b": 2\n}\n'],
  ['a comment behind the last entry', '{\n  "a": 1 // one\n}', { b: 2 }, '{\n  "a": 1, // one\n  "b": 2\n}'],
  ['a trailing comma', '{\n  "a": 1,\n}', { b: 2 }, '{\n  "a": 1,\n  "b": 2\n}'],
  [
    'a trailing comma and a comment',
    '{\n  "a": 1, /* x */ // one\n}',
    { b: 2 },
    '{\n  "a": 1, /* x */ // one\n  "b": 2\n}',
  ],
  ['a comma on its own line', '{\n  "a": 1\n  ,\n}', { b: 2 }, '{\n  "a": 1\n  ,\n  "b": 2\n}'],
  ['one line', '{"a": {"x": 1}, "b": 2}', { a: { y: [1] }, c: {} }, '{"a": {"x": 1, "y": [1]}, "b": 2, "c": {}}'],
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
  ['a key that is there twice', '{"a": 1, "a": 2}', { a: 3 }, '{"a": 1, "a": 3}'],
  [
    'marks of comments in a string',
    '{\n  "a": "http://x /* y */"\n}',
    { b: 2 },
    '{\n  "a": "http://x /* y */",\n  "b": 2\n}',
  ],
  ['windows line ends', '{\r\n  "a": 1\r\n}', { b: 2 }, '{\r\n  "a": 1,\n  "b": 2\r\n}'],
  ['a closer on the line of the last entry', '{\n  "a": 1 }', { b: 2 }, '{\n  "a": 1, \n  "b": 2\n}'],
  [
    'a list',
    '{\n  "l": [\n    { "id": "x" } // first\n  ]\n}',
    { l: [{ id: 'y' }] },
    '{\n  "l": [\n    { "id": "x" }, // first\n    {\n      "id": "y"\n    }\n  ]\n}',
  ],
  [
    'a list with that entry',
    '{"l": [{"id": "x", "n": 1, "mine": true}]}',
    { l: [{ id: 'x', n: 2 }] },
    '{"l": [{"id": "x", "n": 2, "mine": true}]}',
  ],
  ['an empty list', '{"l": []}', { l: [{ id: 'y' }] }, '{"l": [\n  {\n    "id": "y"\n  }\n]}'],
])('JSON with comments: %s', (_, before, wanted, after) => {
  expect(merge('json', wanted, before)).toBe(after)
})

test.each(['[]', '1', '{', '{"a" 1}', '{"a": }', '{"a": 1 "b": 2}', '{a: 1}', '{"a": 1} x', '{"a": nope}', '{ /* '])(
  '%j is no object to merge into',
  (text) => {
    expect(() => merge('json', { a: 1 }, text)).toThrow(SyntaxError)
  },
)

const plain = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).filter((value) => !JSON.stringify(value).includes('__proto__')),
  { maxKeys: 5 },
)

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

test.each<[string, string]>([
  ['what is no TOML', 'model: m\n'],
  ['a text without an end', 'model = "m\n'],
  ['two values in a line', 'a = 1 b = 2\n'],
  ['a table that is written inline', 'servers = { own = { name = "O" } }\n'],
  ['a table in dotted keys', 'servers.own.name = "O"\n'],
  ['a table in dotted keys of another', '[servers]\nown.name = "O"\n'],
  ['a list of tables', '[[servers]]\nname = "O"\n'],
])('TOML with %s is left alone', (_, text) => {
  expect(() => merge('toml', table, text)).toThrow(SyntaxError)
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
    '{\n  // mine\n  "model": "x/y", // for work\n  "theme": "dark" // at night\n}\n',
    (text) => text.replace(/\n\}\n$/, ',\n  "more": [1] // new\n}\n'),
    '{\n  // mine\n  "model": "x/y", // for work\n  "theme": "dark", // at night\n  "more": [1] // new\n}\n',
  ],
  [
    'a setting the user added before, in one line',
    'json',
    provider,
    '{"theme": "dark"}',
    (text) => text.replace('{"theme"', '{"a": 1, "theme"'),
    '{"a": 1, "theme": "dark"}',
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
    '{"model": "x/y"}',
    (text) => text.replace('"dragoman/m"', '"z/z"'),
    '{"model": "z/z"}',
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
