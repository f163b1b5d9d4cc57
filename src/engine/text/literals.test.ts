import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { readLexeme } from './literals.ts'

test.each([...'`{@[/:^#*,"<\n '])('a word ends at %j', (end) => {
  const word = 'azAZ09-+._$'
  expect(collect(`${word}${end}1`, (source) => readLexeme(source))).toMatchObject({ result: word, rest: `${end}1` })
})

test.each([
  [4096, 4096],
  [4097, 0],
])('a word of %i characters is read as one of %i', (length, read) => {
  expect(collect('a'.repeat(length), (source) => readLexeme(source)).result).toHaveLength(read)
})
