import { expect, test } from 'vitest'
import { collect, schemaOf } from '../../test/engine/collect.ts'
import { ANY } from '../schema/compile.ts'
import { readJson } from './json.ts'

const lamp = schemaOf({
  room: { type: 'string' },
  level: { type: 'integer' },
  tags: { type: 'array', items: { type: 'integer' } },
})
const closed = schemaOf({ room: { type: 'string' } }, true)

test.each([
  '{}',
  '[]',
  '{"a": [1, -2.50, 1e3, 12345678901234567890], "b": {"c": null}}',
  '[true , false]',
  '"a\\n\\u00e9\\/\\\\ 🙂"',
  '{ "a" : [ ] , "b" : { } }',
])('%s passes to the letter', (json) => {
  const read = collect(json, (source, pen) => readJson(source, ANY, pen))
  expect(read).toEqual({ json, notes: [], result: 'complete', rest: '' })
})

test.each([
  ['{"a": 1,}', '{"a":1}', 'trailing comma'],
  ['[1, 2, ]', '[1,2]', 'trailing comma'],
  ['{"a": 1 "b": 2}', '{"a":1,"b":2}', 'missing comma'],
  ['[{"a": 1} {"b": 2}]', '[{"a":1},{"b":2}]', 'missing comma'],
  ["{'a': 'b'}", '{"a":"b"}', 'single quotes'],
  ['{a: 1}', '{"a":1}', 'bare key'],
  ['{/* x */"a": 1}', '{"a":1}', 'comment'],
  ['[1, // one\n 2]', '[1,2]', 'comment'],
  ['[True, None]', '[true,null]', 'True to true'],
  ['[+5, 007, .5, 1_000]', '[5,7,0.5,1000]', '+5 to 5'],
  ['[NaN, -Infinity]', '["NaN","-Infinity"]', 'NaN to "NaN"'],
])('%s is mended to %s and noted: %s', (text, json, note) => {
  const read = collect(text, (source, pen) => readJson(source, ANY, pen))
  expect(JSON.stringify(JSON.parse(read.json))).toBe(json)
  expect(read).toMatchObject({ result: 'complete', rest: '' })
  expect(read.notes).toContain(`json-repaired ${note}`)
})

test.each([
  ['"say "hi" now"', '"say \\"hi\\" now"'],
  ['"a\tb\u0001"', '"a\\tb\\u0001"'],
  ['"\\d \\x41 \\u12 \\\'"', '"\\\\d \\u0041 \\\\u12 \'"'],
  ["'it\\'s \"x\"'", '"it\'s \\"x\\""'],
  ['"\ud800x"', '"\\ud800x"'],
])('the string %s is written %s', (text, json) => {
  expect(collect(text, (source, pen) => readJson(source, ANY, pen))).toMatchObject({ json, result: 'complete' })
})

test.each([
  ['{"room": 5, "level": "3", "tags": ["1", 2]}', '{"room":"5","level":3,"tags":[1,2]}'],
  ['{"room": {"a": [1]}}', '{"room":"{\\"a\\": [1]}"}'],
  ['{"Room": "den", "LEVEL": 1}', '{"room":"den","level":1}'],
  ['{"tags": "[1, 2]"}', '{"tags":[1,2]}'],
  ['{"room": "3"}', '{"room":"3"}'],
])('%s becomes what the schema declares', (text, json) => {
  const read = collect(text, (source, pen) => readJson(source, lamp, pen))
  expect(JSON.stringify(JSON.parse(read.json))).toBe(json)
  expect(read.result).toBe('complete')
})

test.each([
  ['{"x": [1, {"y": "}"}], "room": "den"}', '{"room":"den"}'],
  ['{"room": "den", "x": 1}', '{"room":"den"}'],
  ['{"x": 1, "y": 2}', '{}'],
])('what a closed schema forbids is left out of %s', (text, json) => {
  const read = collect(text, (source, pen) => readJson(source, closed, pen))
  expect(JSON.stringify(JSON.parse(read.json))).toBe(json)
  expect(read.notes).toContain('member-dropped x')
})

test.each([
  ['{"arguments": {"room": "den", "level": 1}}', '{"room":"den","level":1'],
  ['{"input" : { "room" : "den" } }', '{"room":"den"'],
  ['{"arguments": {"other": 1}}', '{"arguments":{"other":1}'],
  ['{"arguments": 5}', '{"arguments":5'],
  ['{"room": "den"}', '{"room":"den"'],
])('arguments in arguments: %s is %s, the last brace held', (text, json) => {
  const read = collect(text, (source, pen) => readJson(source, lamp, pen, { holdLast: true }))
  expect(read.json.replace(/\s/g, '')).toBe(json)
  expect(read).toMatchObject({ result: 'complete', rest: '' })
})

test.each([
  ['{"a": [1, {"b": 2</x>', '{"a": [1, {"b": 2}]}'],
  ['[[1, 2</x>', '[[1, 2]]'],
  ['{"a": 1,</x>', '{"a": 1}'],
])('the closer ends %s early', (text, json) => {
  const read = collect(text, (source, pen) => readJson(source, ANY, pen, { closers: ['</x>'] }))
  expect(read).toEqual({ json, notes: ['json-repaired missing brackets'], result: 'complete', rest: '</x>' })
})

test.each([
  ['', 'cut'],
  ['{"a": ', 'cut'],
  ['{"a', 'cut'],
  ['"abc', 'cut'],
  ['[1, 2', 'cut'],
  ['tru', 'cut'],
  ['{"a", 1}', 'stuck'],
  ['{"a": }', 'stuck'],
  ['[}', 'stuck'],
  ['what ever', 'stuck'],
  ['{"a": 1 ? }', 'stuck'],
  ['['.repeat(300), 'stuck'],
])('%s is %s', (text, result) => {
  expect(collect(text, (source, pen) => readJson(source, ANY, pen)).result).toBe(result)
})
