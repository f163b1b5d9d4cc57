import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { decode, readString } from './strings.ts'

const inDoubles = (text: string) => collect(text, (source, pen) => readString(source, 34, pen.write))
const inSingles = (text: string) => collect(text, (source, pen) => readString(source, 39, pen.write))

test('the first quote that is not escaped ends the string', () => {
  expect(inDoubles('a"x"')).toMatchObject({ json: 'a', result: true, rest: 'x"' })
  expect(inSingles("a' \n,")).toMatchObject({ json: 'a', result: true, rest: ' \n,' })
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
  expect(inDoubles(`${text} "`)).toMatchObject({ json: `${json} `, result: true, rest: '' })
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
  expect(inDoubles(`${text}"`)).toMatchObject({ json, result: true })
})

test('the other kind of quote is an ordinary character', () => {
  expect(inDoubles(`it's"`)).toMatchObject({ json: "it's", result: true })
  expect(inSingles(`"a", b'`)).toMatchObject({ json: '\\"a\\", b', result: true })
})

test.each([
  ['abc', 'abc'],
  ['a\\', 'a'],
  ['a\\n', 'a\\n'],
  ['a\\u00e9', 'a\\u00e9'],
  ['a\\u00e', 'a\\\\u00e'],
])('%s has no end; until then it says %s', (text, json) => {
  expect(inDoubles(text)).toMatchObject({ json, result: false, rest: '' })
})

test('what was put into a string is taken out of it', () => {
  const read = collect('{\\"a\\": \\"b\\\\n\\u00e9 🙂\\"}" ,', (source, pen) =>
    readString(source, 34, (json) => pen.write(decode(json))),
  )
  expect(read).toMatchObject({ json: '{"a": "b\\né 🙂"}', result: true, rest: ' ,' })
})
