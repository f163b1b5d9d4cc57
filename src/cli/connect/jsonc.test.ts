import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeJsonc } from './jsonc.ts'

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
])('%s', (_, before, wanted, after) => {
  expect(mergeJsonc(before, wanted as Record<string, unknown>)).toBe(after)
})

test.each([
  '',
  '[]',
  '1',
  '{',
  '{"a" 1}',
  '{"a": }',
  '{"a": 1 "b": 2}',
  '{a: 1}',
  '{"a": 1} x',
  '{"a": nope}',
  '{ /* ',
])('%j is no object to merge into', (text) => {
  expect(() => mergeJsonc(text, { a: 1 })).toThrow(SyntaxError)
})

const plain = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).filter((value) => !JSON.stringify(value).includes('__proto__')),
  { maxKeys: 5 },
)

test('what is merged is there, what was there stays, and twice is once', () => {
  fc.assert(
    fc.property(plain, plain, fc.constantFrom(undefined, 1, 4, '\t'), (there, wanted, indent) => {
      const text = JSON.stringify(there, undefined, indent)
      const merged = mergeJsonc(text, wanted)
      const value = JSON.parse(merged)
      expect(new Set(Object.keys(value))).toEqual(new Set([...Object.keys(there), ...Object.keys(wanted)]))
      for (const [key, kept] of Object.entries(there)) {
        if (!Object.hasOwn(wanted, key)) expect(JSON.stringify(value[key])).toBe(JSON.stringify(kept))
      }
      expect(mergeJsonc(merged, wanted)).toBe(merged)
    }),
  )
})
