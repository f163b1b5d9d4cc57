import { expect, test } from 'vitest'
import { toGlyphs, toSafeGlyphs } from './invisible.ts'
import { prettyJson } from './json.ts'
import { foldOf, type Mark, toRuns } from './runs.ts'
import { counted, inLength, inShort, inSize, inTime } from './words.ts'

const mark = (from: number, to: number, kind: Mark['kind'] = 'call'): Mark => ({ from, to, kind })
const texts = (text: string, ...marks: readonly Mark[]) =>
  toRuns(text, marks).map((run) => (run.mark === undefined ? run.text : `[${run.text}]`))

test.each<[string, readonly string[], readonly string[]]>([
  ['no marks', texts('abc'), ['abc']],
  ['nothing at all', texts('', mark(0, 0)), []],
  ['a mark in the middle', texts('abcd', mark(1, 2)), ['a', '[b]', 'cd']],
  ['marks side by side', texts('abcd', mark(2, 4), mark(0, 2)), ['[ab]', '[cd]']],
  ['marks that overlap', texts('abcd', mark(0, 3), mark(2, 4)), ['[abc]', '[d]']],
  ['a mark beyond the end', texts('ab', mark(1, 9), mark(9, 12)), ['a', '[b]']],
])('%s: the runs are the text', (_what, found, expected) => {
  expect(found).toEqual(expected)
})

test.each<[string, string, Mark, boolean]>([
  ['whole lines', 'a\nbb\nc', mark(2, 4), true],
  ['all of it', 'bb', mark(0, 2), true],
  ['within a line', 'a bb c', mark(2, 4), false],
  ['to the end of a line that began before', 'a bb\nc', mark(2, 4), false],
  ['a thought is never a block', 'a\nbb\nc', mark(2, 4, 'thought'), false],
])('%s', (_what, text, one, isBlock) => {
  expect(toRuns(text, [one]).find((run) => run.mark !== undefined)?.isBlock).toBe(isBlock)
})

test('the line break after a block is not seen twice', () => {
  expect(toRuns('a\nbb\nc', [mark(2, 4)]).map((run) => run.followsBlock)).toEqual([false, false, true])
})

test.each<[string, string, boolean]>([
  ['twenty lines', 'a\n'.repeat(20), false],
  ['twenty-one lines', 'a\n'.repeat(21), true],
  ['one line of two thousand characters', 'a'.repeat(2_000), false],
  ['one line of three thousand characters', 'a'.repeat(3_000), true],
  ['one line of characters in two halves', '😀'.repeat(3_000), true],
])('%s', (_what, text, isFolded) => {
  const fold = foldOf(text)
  expect(fold !== undefined).toBe(isFolded)
  if (fold === undefined) return
  expect(fold.head + fold.middle + fold.tail).toBe(text)
  expect(fold.head.isWellFormed() && fold.tail.isWellFormed()).toBe(true)
})

test('invisible characters are shown, and the text stays the text', () => {
  const text = 'a  b\n\u2060c \u00a0\t\u202e'
  const glyphs = toGlyphs(text)
  expect(glyphs.map((glyph) => glyph.text).join('')).toBe(text)
  expect(glyphs.flatMap(({ shown }) => shown ?? [])).toEqual(['··', '⏎', 'U+2060', 'U+00A0', '⇥', 'U+202E'])
})

test('what turns the order of a text is shown also to who does not look for it', () => {
  const text = 'a  b\u202ecba\u2069\u200f'
  const glyphs = toSafeGlyphs(text)
  expect(glyphs.map((glyph) => glyph.text).join('')).toBe(text)
  expect(glyphs.flatMap(({ shown }) => shown ?? [])).toEqual(['U+202E', 'U+2069'])
})

test.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['{"a":{},"b":[ ]}', '{\n  "a": {},\n  "b": []\n}'],
  ['{"a": "x, {y}: \\"z\\""}', '{\n  "a": "x, {y}: \\"z\\""\n}'],
  ['{"n": 9007199254740993, "e": 1.0}', '{\n  "n": 9007199254740993,\n  "e": 1.0\n}'],
  ['[1,[2]]', '[\n  1,\n  [\n    2\n  ]\n]'],
  ['{"a": "cut o', '{\n  "a": "cut o'],
])('%s', (json, pretty) => {
  expect(prettyJson(json)).toBe(pretty)
})

test.each([
  [inTime(0), '0'],
  [inTime(0.04), '< 0.1 ms'],
  [inTime(0.4), '0.4 ms'],
  [inTime(3 / 2), '1.5 ms'],
  [inTime(9.97), '10 ms'],
  [inTime(412.3), '412 ms'],
  [inTime(999.7), '1.0 s'],
  [inTime(3_240), '3.2 s'],
  [inTime(59_960), '1 min 0 s'],
  [inTime(61_400), '1 min 1 s'],
  [inTime(7_260_000), '2 h 1 min'],
  [inSize(14_200), '14 kB'],
  [inSize(999), '999 B'],
  [inSize(2_400_000), '2.3 MB'],
  [inSize(64 << 20), '64 MB'],
  [inSize((1 << 20) - 1), '1.0 MB'],
  [inLength(1), '1 char'],
  [inLength(12_345), '12.3k chars'],
  [inShort(950), '950'],
  [inShort(1_840), '1.8k'],
  [inShort(1_300_000), '1.3M'],
  [counted(1, 'call'), '1 call'],
  [counted(1_200, 'call'), '1,200 calls'],
])('%s is %s', (found, expected) => {
  expect(found).toBe(expected)
})
