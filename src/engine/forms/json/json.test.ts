import { expect, test } from 'vitest'
import { collect, schemaOf } from '../../../../test/engine/collect.ts'
import { ANY } from '../../../schema/compile.ts'
import { readJson } from './json.ts'

const lamp = schemaOf({
  room: { type: 'string' },
  level: { type: 'integer' },
  tags: { type: 'array', items: { type: 'integer' } },
  scene: { type: 'object', properties: { name: { type: 'string' } } },
})
const closed = schemaOf({ room: { type: 'string' } }, true)

test.each([
  '{}',
  '[]',
  '{"a": [1, -2.50, 1e3, 12345678901234567890], "b": {"c": null}}',
  '[true , false]',
  '"a\\n\\u00e9\\/\\\\ 🙂"',
  '{ "a" : [ ] , "b" : { } }',
  '[ 1 , [ 2 ] ]',
])('%s passes to the letter', (json) => {
  const read = collect(json, (source, pen) => readJson(source, ANY, pen))
  expect(read).toEqual({ json, notes: [], result: 'complete', rest: '' })
})

test('white space that JSON does not have becomes a blank, wherever it stands', () => {
  const read = collect('{\u000b"a"\f:\f1\u000b,\u000b"b":[\u000b]}', (source, pen) => readJson(source, ANY, pen))
  expect(JSON.parse(read.json)).toEqual({ a: 1, b: [] })
})

test.each([
  ['{"a": 1,}', '{"a":1}', 'trailing comma'],
  ['[1, 2, ]', '[1,2]', 'trailing comma'],
  ["{'a': 'b'}", '{"a":"b"}', 'single quotes'],
  ['[True, None]', '[true,null]', 'True to true'],
  ['[+5, 007, .5, 1_000]', '[5,7,0.5,1000]', '+5 to 5'],
  ['[NaN, -Infinity]', '["NaN","-Infinity"]', 'NaN to "NaN"'],
])('%s is mended to %s and noted: %s', (text, json, note) => {
  const read = collect(text, (source, pen) => readJson(source, ANY, pen))
  expect(JSON.stringify(JSON.parse(read.json))).toBe(json)
  expect(read).toMatchObject({ result: 'complete', rest: '' })
  expect(read.notes).toContain(`json_repaired ${note}`)
})

test.each([
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
  expect(read.notes).toContain('member_dropped x')
})

test.each([
  ['{"arguments": {"other": 1}}', '{"arguments":{"other":1}'],
  ['{"arguments": 5}', '{"arguments":5'],
  ['{"room": "den"}', '{"room":"den"'],
])('%s is %s, the last brace held', (text, json) => {
  const read = collect(text, (source, pen) => readJson(source, lamp, pen, { holdLast: true }))
  expect(read.json.replace(/\s/g, '')).toBe(json)
  expect(read).toMatchObject({ result: 'complete', rest: '' })
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
  ['{"a": "b 5" c", "d": "e"}', 'stuck'],
  ['['.repeat(300), 'stuck'],
])('%s is %s', (text, result) => {
  expect(collect(text, (source, pen) => readJson(source, ANY, pen)).result).toBe(result)
})

test.each([
  ['{"a": [1, 2, ], "b": {"c": 3,},}', Array(3).fill('json_repaired trailing comma')],
  ['[[1,]]', ['json_repaired trailing comma']],
  ["{'a': 1}", ['json_repaired single quotes']],
  ["['a']", ['json_repaired single quotes']],
])('%s is noted mend by mend', (text, notes) => {
  expect(collect(text, (source, pen) => readJson(source, ANY, pen)).notes).toEqual(notes)
})

test.each([
  ['{"room": {"a" : [1, {}]}}', '{"room": "{\\"a\\" : [1, {}]}"}', ['coerced JSON to its text']],
  ['{"room": [1 , "b"]}', '{"room": "[1 , \\"b\\"]"}', ['coerced JSON to its text']],
  ['{"tags": {"a": "1"}}', '{"tags": {"a": "1"}}', []],
  ['{"level": "x"}', '{"level": "x"}', []],
  ['{"scene": {"Name": 5}}', '{"scene": {"name": "5"}}', ['key_corrected Name to name', 'coerced integer to string']],
])('%s is written %s', (text, json, notes) => {
  const read = collect(text, (source, pen) => readJson(source, lamp, pen))
  expect(read).toEqual({ json, notes, result: 'complete', rest: '' })
})

test.each([
  ['{"a": 1 ? }', '? }'],
  ['{"a", 1}', ', 1}'],
  ['{"a": nope}', '}'],
  ['{"a": }', '}'],
  ['[1, ?]', '?]'],
  ['{"a": 1, ?: 2}', '?: 2}'],
  ['[}', '}'],
  ['{]', ']'],
  ['[1}', '}'],
  ['{"a"}', '}'],
  ['{"a": {"b", 1}}', ', 1}}'],
])('%s is stuck before %s', (text, rest) => {
  expect(collect(text, (source, pen) => readJson(source, ANY, pen))).toMatchObject({ result: 'stuck', rest })
})

test.each([
  ['{"x", 1}', 'stuck'],
  ['{"x": nope}', 'stuck'],
  ['{"x": [1', 'cut'],
  ['{"room": {"a", 1}}', 'stuck'],
  ['{"room": {"a", "room": "b"}', 'stuck'],
  ['{"room": [1', 'cut'],
])('%s, where a closed schema wants something else, is %s', (text, result) => {
  expect(collect(text, (source, pen) => readJson(source, closed, pen)).result).toBe(result)
})

test.each([
  ['{"room": "d', '{"room": "d'],
  ['{"level": "3', '{"level": '],
  ['{"level": 3', '{"level": '],
  ['{"room": [1', '{"room": '],
  ['{"room": "den", ', '{"room": "den"'],
])('%s is cut; until then it says %s', (text, json) => {
  expect(collect(text, (source, pen) => readJson(source, lamp, pen))).toMatchObject({ json, result: 'cut', notes: [] })
})

test('each item of an array is typed by its own place', () => {
  const pair = schemaOf({ pair: { prefixItems: [{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }] } })
  const read = collect('{"pair": ["1", 2, "true"]}', (source, pen) => readJson(source, pair, pen))
  expect(read.json).toBe('{"pair": [1, "2", true]}')
  const mixed = schemaOf({ pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] } })
  const strings = collect('{"pair": ["a", "2", "true"]}', (source, pen) => readJson(source, mixed, pen))
  expect(strings.json).toBe('{"pair": ["a", 2, true]}')
})

test('arguments are not unwrapped before it is known that they are', () => {
  const read = collect('{"arguments": {"roo', (source, pen) => readJson(source, lamp, pen, { holdLast: true }))
  expect(read).toMatchObject({ json: '{"arguments": {', result: 'cut', notes: [] })
})
