import { expect, test } from 'vitest'
import { collect } from '../../../../test/engine/collect.ts'
import { hear } from '../../../../test/engine/hear.ts'
import { ANY } from '../../../schema/compile.ts'
import { readJson } from './json.ts'

const blanks = ' '.repeat(300)
const long = 'k'.repeat(300)

test.each([
  ['blanks before the comma', `{"a": "say "x" twice"${blanks}, "b": 1}`, { a: 'say "x" twice', b: 1 }],
  ['blanks behind the comma', `{"a": "say "x" twice",${blanks}"b": 1}`, { a: 'say "x" twice', b: 1 }],
  ['a comment behind the comma', `{"a": "say "x" twice", /*${blanks}*/ "b": 1}`, { a: 'say "x" twice', b: 1 }],
  [
    'blanks between the last brackets',
    `{"s": {"a": "say "x" twice"${blanks}}${blanks}}`,
    { s: { a: 'say "x" twice' } },
  ],
  ['a long key', `{"a": "plain", "${long}": 1}`, { a: 'plain', [long]: 1 }],
])('where a string ends is told by what stands far behind it: %s', (_, text, value) => {
  const { json, result } = collect(text, (source, pen) => readJson(source, ANY, pen))
  expect(result).toBe('complete')
  expect(JSON.parse(json)).toEqual(value)
})

const call = (json: string) => `<tool_call>{"name": "set_lamp", "arguments": ${json}}</tool_call>`

test.each(['{"room": "a 5" pipe", "level": "3"}', '{"room": "a "new" 5" pipe", "level": "3"}'])(
  'after an odd number of quotes that should be escaped, another string makes the call ambiguous: %s',
  (json) => {
    const said = call(json)
    const heard = hear('hermes', said)
    expect(heard).toMatchObject({ calls: [], text: said, failures: ['unreadable'] })
    expect(heard.notes).toContain('call_ambiguous')
  },
)

test.each([
  ['{"room": "a 5" pipe", "level": 3}', { room: 'a 5" pipe', level: 3 }],
  ['{"tags": ["a 5" pipe", "b"]}', { tags: ['a 5" pipe', 'b'] }],
  ['{"room": "a "b"} "c" }', { room: 'a "b"} "c' }],
  ["{'room': 'a 'b'} 'c' }", { room: "a 'b'} 'c" }],
  ['{"tags": ["a "b"] "c"]}', { tags: ['a "b"] "c'] }],
  ['{"scene": {"name": "a"} "room": "c" }', { scene: { name: 'a' }, room: 'c' }],
])('quotes that should be escaped, and commas that are missing: %s', (json, value) => {
  const [made = ''] = hear('hermes', call(json)).calls
  expect(JSON.parse(made.slice('set_lamp '.length))).toEqual(value)
})

test.each([
  ['{"a": "b" // c\n, "d": 1}', { a: 'b', d: 1 }],
  ['{"a": "b" /* c */, "d": "e"}', { a: 'b', d: 'e' }],
  ['{"a": "x "y" / z", "b": 1}', { a: 'x "y" / z', b: 1 }],
  ['{"a": "x "y" z", }', { a: 'x "y" z' }],
  ['["x "y" z", ]', ['x "y" z']],
  ['{"a": "say "x" or "y"", "b": 1}', { a: 'say "x" or "y"', b: 1 }],
  ['{"a": "b" | "c"}', { a: 'b" | "c' }],
  ['{"a": "x "y" z", "b\\"c": 1}', { a: 'x "y" z', 'b"c': 1 }],
  ['{"a": "x "y", and more", "b": 1}', { a: 'x "y", and more', b: 1 }],
  ['["x "y" z", 1]', ['x "y" z', 1]],
  ['["x "y" z", true]', ['x "y" z', true]],
  ['["x "y", so", "b"]', ['x "y", so', 'b']],
  ['["x "y" z", {"a": 1}]', ['x "y" z', { a: 1 }]],
  ['{"a": "x "y" z", b: 1}', { a: 'x "y" z', b: 1 }],
  ['{"a": "x "y" z", \'b\': 1}', { a: 'x "y" z', b: 1 }],
  ['{"a": "x "y" z" "b": 1}', { a: 'x "y" z', b: 1 }],
  ['["a" "b"]', ['a', 'b']],
  ['["a", "b" , "c", 1]', ['a', 'b', 'c', 1]],
  ['{"a": "x (y "z")"}', { a: 'x (y "z")' }],
  ['{"a": "[ "$b" = "c" ]", "d": 1}', { a: '[ "$b" = "c" ]', d: 1 }],
  ['{"a": "print("x", "y")", "d": 1}', { a: 'print("x", "y")', d: 1 }],
  ['{"a": "b"c"}', { a: 'b"c' }],
])('where a string ends is told by what follows its quotes: %j', (text, value) => {
  const { json, result } = collect(text, (source, pen) => readJson(source, ANY, pen))
  expect(result).toBe('complete')
  expect(JSON.parse(json)).toEqual(value)
})

test.each(['+', '||', '??'])('strings that %s joins are ambiguous', (operator) => {
  const read = collect(`{"a": "b" ${operator} "c"}`, (source, pen) => readJson(source, ANY, pen))
  expect(read).toMatchObject({ result: 'stuck', notes: ['call_ambiguous'] })
})
