import { expect, test } from 'vitest'
import { endOfValue, kindOf, toNumberLexeme } from './json-text.ts'
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
