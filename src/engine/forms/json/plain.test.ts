import { expect, test } from 'vitest'
import { ANY, compileParameters } from '../../../schema/compile.ts'
import { endOfPlain } from './plain.ts'

const node = compileParameters({
  type: 'object',
  properties: {
    path: { type: 'string' },
    from: { type: 'integer' },
    deep: { type: 'boolean' },
    mode: { enum: [1, 2] },
    lines: { type: 'array', items: { type: 'string' } },
    never: false,
  },
})

test.each([
  '{}',
  '{ "path" : "a \\n \\" b" , "from": -3 }',
  '{"path": "", "deep": true, "lines": ["a", "b"]}',
  '{"path": "a", "path": "b"}',
])('%s leaves as it is', (json) => {
  expect(endOfPlain(`x${json}\n}]</tool_call>`, 1, node, false)).toBe(json.length + 1)
})

test('where nothing is declared, any strict value does', () => {
  const json = '[{"any": [null, {"x": 1, "y": {"z": "w"}}]}, 0, false]'
  expect(endOfPlain(`${json} `, 0, ANY, false)).toBe(-1)
  expect(endOfPlain(`${json} .`, 0, ANY, false)).toBe(json.length)
  expect(endOfPlain(`${json} `, 0, ANY, true)).toBe(json.length)
})

test.each([
  ['a word', '"path"'],
  ['a number the schema wants as text', '{"path": 3}'],
  ['a text the schema wants as a number', '{"from": "3"}'],
  ['null where it is not allowed', '{"from": null}'],
  ['one of a closed list', '{"mode": 1}'],
  ['a fraction', '{"from": 3.0}'],
  ['a number of many digits', '{"from": 1234567890123456}'],
  ['a number that begins with zero', '{"from": 03}'],
  ['a key nobody declared', '{"Path": "a"}'],
  ['a key that is forbidden', '{"never": 1}'],
  ['a key with an escape', '{"p\\u0061th": "a"}'],
  ['a key without quotes', '{path: "a"}'],
  ['a list where an object stands', '{"lines": {"0": "a"}}'],
  ['a comma too many', '{"path": "a",}'],
  ['a comma too few', '{"path": "a" "from": 3}'],
  ['no colon', '{"path" "a"}'],
  ['a raw newline in a string', '{"path": "a\nb"}'],
  ['an escape JSON does not know', '{"path": "\\d"}'],
  ['a quote that should be escaped', '{"path": "say "x""}'],
  ['quotes in a row', '{"path": """}'],
  ['no end', '{"path": "a", "from": 3'],
  ['no end of a string', '{"path": "a'],
])('%s is read with more care', (_, json) => {
  expect(endOfPlain(`${json} .`, 0, node, false)).toBe(-1)
})

test.each([
  ['a quote', '"'],
  ['another quote, behind brackets', "} ]\n'"],
  ['nothing yet', ' }'],
])('with %s behind it, it is read with more care', (_, behind) => {
  expect(endOfPlain(`{"path": "a"}${behind}`, 0, node, false)).toBe(-1)
})

test('very deep values are read with more care', () => {
  const nest = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)} .`
  expect(endOfPlain(nest(32), 0, ANY, false)).toBe(64)
  expect(endOfPlain(nest(33), 0, ANY, false)).toBe(-1)
})
