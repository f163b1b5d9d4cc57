import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { readGap } from './gap.ts'

test.each([
  ['x', '', 'x', 0],
  [' \t\r\n x', ' \t\r\n ', 'x', 0],
  ['', '', '', 0],
  ['  ', '  ', '', 0],
  [' /* a */ \n x', '  \n ', 'x', 1],
  ['/* a // \n b */x', '', 'x', 1],
  ['/**/x', '', 'x', 1],
  ['/*/ a */x', '', 'x', 1],
  ['// a /*\n x', ' ', 'x', 1],
  ['//\n//\nx', '', 'x', 2],
  ['//', '', '', 1],
  ['/*', '', '', 1],
  ['/* a *', '', '', 1],
  ['// a', '', '', 1],
  ['/x', '', '/x', 0],
  [' /', ' ', '/', 0],
])('%j begins with the white space %j, and %j is left', (text, gap, rest, comments) => {
  expect(collect(text, readGap)).toEqual({
    json: '',
    notes: Array(comments).fill('json_repaired comment'),
    result: gap,
    rest,
  })
})

test.each(['\v', '\f', '\u00a0', '\ufeff', '\u2003', '\u200b', '\u2028', '\u3000'])(
  'white space that JSON does not have is taken out: %j',
  (space) => {
    expect(collect(`${space} ${space}\n${space}x`, readGap)).toEqual({
      json: '',
      notes: ['json_repaired white space'],
      result: ' \n',
      rest: 'x',
    })
  },
)

test('letters and other signs are no white space', () => {
  for (const sign of ['ä', '\u00ad', '中', '\u2013', '\u2060']) {
    expect(collect(` ${sign}`, readGap)).toMatchObject({ notes: [], result: ' ', rest: sign })
  }
})
