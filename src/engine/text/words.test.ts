import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { readLexeme, toStrict } from './words.ts'

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
  ['5.', '5'],
  ['01.20e+4', '1.20e+4'],
  ['1_000_000', '1000000'],
  ['true', 'true'],
  ['True', 'true'],
  ['TRUE', 'true'],
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

test.each(['', '-', '+', '.', 'tRuE', 'den', '1a', '1.2.3', '1e', '--1', '0x1f', 'e5', '-e5', 'toString'])(
  '%j is neither a number nor a word of JSON',
  (word) => {
    expect(toStrict(word)).toBeUndefined()
  },
)

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
