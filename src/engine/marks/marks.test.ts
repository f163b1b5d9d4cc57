import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { Source } from '../text/source.ts'
import { compileMarks, hasMarkAt, matchMark } from './marks.ts'

const marks = compileMarks(
  [
    ['<call>', 1],
    ['<call', 2],
    ['<calls>', 3],
    ['<call', 4],
    ['[T]', 5],
    ['', 6],
  ],
  '`~',
)

test.each([
  ['<call>x', '<call>', [1]],
  ['<calls>', '<calls>', [3]],
  ['<call x', '<call', [2, 4]],
  ['<call', '<call', [2, 4]],
  ['<calls', '<call', [2, 4]],
  ['[T]', '[T]', [5]],
])('the longest mark of %j is %s', (text, literal, values) => {
  expect(collect(text, (source) => matchMark(source, marks))).toMatchObject({ result: { literal, values }, rest: text })
})

test.each(['', '<', '<cal', '<cab', 'x<call>', '[T', '`'])('no mark stands in %j', (text) => {
  expect(collect(text, (source) => matchMark(source, marks))).toMatchObject({ result: undefined, rest: text })
})

test('a mark is known as soon as no longer one is possible', () => {
  const source = new Source()
  source.push('<call')
  const matching = matchMark(source, marks)
  expect(matching.next().done).toBe(false)
  source.push('>')
  expect(matching.next()).toEqual({ done: true, value: { literal: '<call>', values: [1] } })
})

test('the characters to stop at are those that begin a mark, and the triggers', () => {
  const stops = Array.from(marks.starts.entries()).flatMap(([code, stop]) => (stop > 0 ? [code] : []))
  expect(String.fromCharCode(...stops)).toBe('<[`~')
})

test.each([
  ['a mark inside a longer one', '<ab>', 'ab', 1],
  ['the shorter of two', '<ab', '<a', 0],
  ['the longer of two', '<abc', '<abc', 0],
])('in a whole text every mark is asked about: %s', (_, text, wanted, at) => {
  const marks = compileMarks(['<a', '<abc', 'ab'].map((literal) => [literal, literal] as const))
  const asked: string[] = []
  expect(hasMarkAt(marks, text, at, (literal, value) => asked.push(literal) > 0 && value === wanted)).toBe(true)
  expect(asked).toContain(wanted)
  expect(hasMarkAt(marks, text, text.length - 1, () => true)).toBe(false)
})
