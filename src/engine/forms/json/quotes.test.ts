import { expect, test } from 'vitest'
import { collect } from '../../../../test/engine/collect.ts'
import { ANY } from '../../../schema/compile.ts'
import { readJson } from './json.ts'

const blanks = ' '.repeat(300)
const long = 'k'.repeat(300)

test.each([
  ['blanks before the comma', `{"a": "say "x" twice"${blanks}, "b": 1}`, { a: 'say "x" twice', b: 1 }],
  ['blanks behind the comma', `{"a": "say "x" twice",${blanks}"b": 1}`, { a: 'say "x" twice', b: 1 }],
  ['a comment behind the comma', `{"a": "say "x" twice", /*${blanks}*/ "b": 1}`, { a: 'say "x" twice', b: 1 }],
  [
    'blanks between the last brackets',
    `{"s": {"a": "say "x" twice"${blanks}}${blanks}}`,
    { s: { a: 'say "x" twice' } },
  ],
  ['a long key', `{"a": "plain", "${long}": 1}`, { a: 'plain', [long]: 1 }],
])('where a string ends is told by what stands far behind it: %s', (_, text, value) => {
  const { json, result } = collect(text, (source, pen) => readJson(source, ANY, pen))
  expect(result).toBe('complete')
  expect(JSON.parse(json)).toEqual(value)
})
