import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { decode, readString } from './strings.ts'

const inDoubles = (text: string) => collect(text, (source, pen) => readString(source, 34, pen.write))
const inSingles = (text: string) => collect(text, (source, pen) => readString(source, 39, pen.write))

test.each([...',}]:"/<\''])('a quote ends the string where %s follows', (next) => {
  expect(inDoubles(`a"${next}`)).toMatchObject({ json: 'a', result: 0, rest: next })
  expect(inSingles(`a' \n${next}`)).toMatchObject({ json: 'a', result: 0, rest: ` \n${next}` })
})

test.each([...'x.;()-'])('a quote is part of the string where %s follows', (next) => {
  expect(inDoubles(`a"${next}"`)).toMatchObject({ json: `a\\"${next}`, result: 1, rest: '' })
  expect(inSingles(`a' ${next}'`)).toMatchObject({ json: `a' ${next}`, result: 1, rest: '' })
})

test.each([
  ['\\"\\\\\\/\\b\\f\\n\\r\\t', '\\"\\\\\\/\\b\\f\\n\\r\\t'],
  ['\\u00e9\\uD83D\\uDE42', '\\u00e9\\uD83D\\uDE42'],
  ['\\x41', '\\u0041'],
  ["\\'\\`", "'`"],
  ['\\d\\ \\', '\\\\d\\\\ \\\\'],
  ['\\d12 \\a1234', '\\\\d12 \\\\a1234'],
  ['\\u12 \\u00g0 \\x4 \\xg1', '\\\\u12 \\\\u00g0 \\\\x4 \\\\xg1'],
])('the escapes %s are written %s', (text, json) => {
  expect(inDoubles(`${text} "`)).toMatchObject({ json: `${json} `, result: 0, rest: '' })
})

test.each([
  ['\t\n\u0000\u001f', '\\t\\n\\u0000\\u001f'],
  ['\u0020\u007f\ud7ff\ue000', '\u0020\u007f\ud7ff\ue000'],
  ['\ud800\udc00\ud83d\ude42\udbff\udfff', '\ud800\udc00\ud83d\ude42\udbff\udfff'],
  ['\ud800', '\\ud800'],
  ['\udbffa', '\\udbffa'],
  ['\udc00\udfff', '\\udc00\\udfff'],
  ['\ud800\ue000', '\\ud800\ue000'],
  ['\udbff\udbff', '\\udbff\\udbff'],
])('the characters %j are written %j', (text, json) => {
  expect(inDoubles(`${text}"`)).toMatchObject({ json, result: 0 })
})

test('the other kind of quote is an ordinary character', () => {
  expect(inDoubles(`it's"`)).toMatchObject({ json: "it's", result: 0 })
  expect(inSingles(`"a", b'`)).toMatchObject({ json: '\\"a\\", b', result: 0 })
})

test.each([
  ['abc', 'abc'],
  ['a\\', 'a'],
  ['a\\n', 'a\\n'],
  ['a\\u00e9', 'a\\u00e9'],
  ['a\\u00e', 'a\\\\u00e'],
  ['a"x', 'a\\"x'],
])('%s has no end; until then it says %s', (text, json) => {
  expect(inDoubles(text)).toMatchObject({ json, result: undefined, rest: '' })
})

test('what was put into a string is taken out of it', () => {
  const read = collect('{\\"a\\": \\"b\\\\n\\u00e9 🙂\\"}" ,', (source, pen) =>
    readString(source, 34, (json) => pen.write(decode(json))),
  )
  expect(read).toMatchObject({ json: '{"a": "b\\né 🙂"}', result: 0, rest: ' ,' })
})
