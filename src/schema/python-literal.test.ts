import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePythonLiteral } from './python-literal.ts'

const readable: readonly (readonly [string, string])[] = [
  ["{'a': 1}", '{"a":1}'],
  ["{'a': True, 'b': False, 'c': None}", '{"a":true,"b":false,"c":null}'],
  ['[true, false, null]', '[true,false,null]'],
  ['(1, 2)', '[1,2]'],
  ['(1,)', '[1]'],
  ['()', '[]'],
  ['(1)', '1'],
  ["('a')", '"a"'],
  ['[1, 2,]', '[1,2]'],
  ["{'a': [1, (2, 3)],}", '{"a":[1,[2,3]]}'],
  ['[]', '[]'],
  [' { } ', '{}'],
  ['{a: 1, $b_2: 2}', '{"a":1,"$b_2":2}'],
  ["{1: 'x', -2.5: 'y'}", '{"1":"x","-2.5":"y"}'],
  ['[12345678901234567890, 1.0, 1e400, -0]', '[12345678901234567890,1.0,1e400,-0]'],
  ['[+1, .5, 5., 007]', '[1,0.5,5.0,7]'],
  [String.raw`'it\'s'`, '"it\'s"'],
  [`'say "hi"'`, String.raw`"say \"hi\""`],
  [String.raw`'a\nb\tc\\d'`, String.raw`"a\nb\tc\\d"`],
  [String.raw`'\x41\u00e9\U0001F600\101'`, '"Aé😀A"'],
  [String.raw`'\ud83d\ude00'`, '"😀"'],
  [String.raw`'\d+\.'`, String.raw`"\\d+\\."`],
  [String.raw`'\xZZ'`, String.raw`"\\xZZ"`],
  [String.raw`'\/'`, '"/"'],
  ["'line\nbreak'", String.raw`"line\nbreak"`],
  ["{'__proto__': 1}", '{"__proto__":1}'],
  ["{'a'}", '["a"]'],
  ['{1, (2), {3: {4,},},}', '[1,2,{"3":[4]}]'],
  ['{True: 1, None: 2}', '{"true":1,"null":2}'],
  ['[TRUE, undefined, NaN, -Infinity, 1_000]', '[true,null,"NaN","-Infinity",1000]'],
  ["[1, # one, '\n 2 # [\n]", '[1,2]'],
  [String.raw`'\U0010FFFF\U00110000\8\0'`, '"\u{10ffff}\\\\U00110000\\\\8\\u0000"'],
]
test.each(readable)('%s reads as %s', (text, json) => {
  expect(parsePythonLiteral(text)).toBe(json)
  expect(() => JSON.parse(json)).not.toThrow()
})

test.each([
  '',
  ' ',
  "{'a': }",
  "{'a' 1}",
  '[1 2]',
  '[,]',
  '[1,,2]',
  "'open",
  "{'a': 1",
  '[1',
  '(1',
  '[1)',
  'foo',
  'foo()',
  '1 2',
  'nan',
  '[inf]',
  '{,}',
  '{a}',
  '{1, a}',
  '{1, 2: 3}',
  '{1: 2, 3}',
  '{: 1}',
  '{]: 1}',
  '{[1]: 2}',
  "['a': 1]",
  "['a'['b']]",
  "['a' 'b']",
  '1,',
  '[_1]',
  '[1__0]',
  "'a' + 'b'",
  '-',
  '.',
  '--1',
  "'\\",
  '['.repeat(300) + ']'.repeat(300),
])('%s is no literal', (text) => {
  expect(parsePythonLiteral(text)).toBeUndefined()
})

test('sets are told of', () => {
  let sets = 0
  parsePythonLiteral('[{1}, {}, {1: {2, 3}}]', () => sets++)
  expect(sets).toBe(2)
})

test('every JSON value reads as itself', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(parsePythonLiteral(json) ?? 'missing')).toEqual(JSON.parse(json))
    }),
  )
})

test('any text gives JSON or nothing', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    "'",
    '"',
    ',',
    ':',
    '\\',
    'a',
    '1',
    'True',
    ' ',
    '\n',
    '-',
    '.',
    'u0',
    'x',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
      ),
      (text) => {
        const json = parsePythonLiteral(text)
        if (json !== undefined) JSON.parse(json)
      },
    ),
    { numRuns: 1_000 },
  )
})
