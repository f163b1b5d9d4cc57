import { expect, test } from 'vitest'
import { endOfValue, kindOf, toNumberLexeme, toStrict } from './json-text.ts'
import { Kind } from './node.ts'

test.each([
  ['{}', Kind.object],
  [' [1]', Kind.array],
  ['"a"', Kind.string],
  ['true', Kind.boolean],
  ['false', Kind.boolean],
  ['null', Kind.null],
  ['5', Kind.integer],
  ['-0 ', Kind.integer],
  ['12345678901234567890', Kind.integer],
  ['5.0', Kind.number],
  ['1e3', Kind.number],
])('the kind of %s is %i', (json, kind) => {
  expect(kindOf(json)).toBe(kind)
})

test.each([
  ['5', '5'],
  ['+5', '5'],
  ['-05', '-5'],
  ['00', '0'],
  ['.5', '0.5'],
  ['5.', '5.0'],
  ['5.e3', '5.0e3'],
  ['1.50', '1.50'],
  ['', undefined],
  ['.', undefined],
  ['-', undefined],
  ['e5', undefined],
  ['1_000', undefined],
  ['5 ', undefined],
])('%j as a JSON number is %s', (text, expected) => {
  expect(toNumberLexeme(text)).toBe(expected)
})

test.each([
  ['{"a":"}\\"]"},1', 12],
  ['[[],{}] x', 7],
  ['"a\\\\",', 5],
  ['12,', 2],
  ['true]', 4],
])('the value at the start of %s ends at %i', (json, end) => {
  expect(endOfValue(json, 0)).toBe(end)
})

test.each([
  ['0', '0'],
  ['-12.50', '-12.50'],
  ['1e3', '1e3'],
  ['1.5E-7', '1.5E-7'],
  ['12345678901234567890', '12345678901234567890'],
  ['+5', '5'],
  ['-007', '-7'],
  ['00', '0'],
  ['.5', '0.5'],
  ['-.5', '-0.5'],
  ['5.', '5.0'],
  ['01.20e+4', '1.20e+4'],
  ['1_000_000', '1000000'],
  ['true', 'true'],
  ['True', 'true'],
  ['TRUE', 'true'],
  ['none', 'null'],
  ['false', 'false'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['null', 'null'],
  ['None', 'null'],
  ['NULL', 'null'],
  ['undefined', 'null'],
  ['NaN', '"NaN"'],
  ['Infinity', '"Infinity"'],
  ['-Infinity', '"-Infinity"'],
])('%s is written %s', (word, json) => {
  expect(toStrict(word)).toBe(json)
})

test.each(['', '-', '+', '.', 'den', '1a', '1.2.3', '1e', '--1', '0x1f', 'e5', '-e5', 'toString'])(
  '%j is neither a number nor a word of JSON',
  (word) => {
    expect(toStrict(word)).toBeUndefined()
  },
)
