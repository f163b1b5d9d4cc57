import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { readGap } from './gap.ts'

test.each([
  ['x', '', 'x', 0],
  [' \t\r\n\v\f x', ' \t\r\n\v\f ', 'x', 0],
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
