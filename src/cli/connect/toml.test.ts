import { describe, expect, test } from 'vitest'
import { mergeToml, printToml } from './toml.ts'

const wanted = { model: 'm', window: 5, servers: { own: { name: 'Own', url: 'http://x/v1' } } }

test('fields are printed, tables last', () => {
  expect(printToml({ servers: { 'my own': { a: 'x "y"' } }, on: true })).toBe(
    'on = true\n\n[servers."my own"]\na = "x \\"y\\""\n',
  )
})

describe('what stands there stays', () => {
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
  ])('%s', (_, before, after) => {
    expect(mergeToml(before, wanted)).toBe(after)
    expect(mergeToml(after, wanted)).toBe(after)
  })
})

test.each<[string, string]>([
  ['what is no TOML', 'model: m\n'],
  ['a text without an end', 'model = "m\n'],
  ['two values in a line', 'a = 1 b = 2\n'],
  ['a table that is written inline', 'servers = { own = { name = "O" } }\n'],
  ['a table in dotted keys', 'servers.own.name = "O"\n'],
  ['a table in dotted keys of another', '[servers]\nown.name = "O"\n'],
  ['a list of tables', '[[servers]]\nname = "O"\n'],
])('%s is left alone', (_, text) => {
  expect(() => mergeToml(text, wanted)).toThrow(SyntaxError)
})
