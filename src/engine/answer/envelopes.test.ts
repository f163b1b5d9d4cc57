import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const ping = '{"name": "ping"}'
const bad = '{"name": "set_lamp", "arguments": {"level": 5 ?}}'
const strange = '{"name": "no such", "arguments": {}}'

test.each([
  ['commas before the first of a list', `[,${ping}]`, 1],
  ['commas after the last, and a bracket too many', `${ping} ${ping},]`, 2],
  ['under "tool_calls"', `{"tool_calls": [${ping}]}`, 1],
  ['under "tool_calls", its brace missing', `{"tool_calls": [${ping}]`, 1],
  ['under "tool_uses"', `{"tool_uses": [${ping}, ${ping}]}`, 2],
  ['under "function_calls"', `{"function_calls": [${ping}]}`, 1],
  ['under "calls", and braces too many', `{"calls": [${ping}]} }`, 1],
])('envelopes with %s are read whole', (_, inner, count) => {
  const heard = hear('hermes', `<tool_call>${inner}</tool_call>x`)
  expect(heard).toMatchObject({ calls: Array(count).fill('ping {}'), text: 'x', notes: [], failures: [] })
})

test.each([
  ['a comma before it', `,${ping}`],
  ['a key that is no list', `{"calls": ${ping}}`],
  ['no colon after the key of a list', `{"tool_calls" [${ping}]}`],
])('an envelope with %s is text', (_, inner) => {
  const text = `<tool_call>${inner}</tool_call>x`
  expect(hear('hermes', text)).toMatchObject({ calls: [], text, notes: [], failures: [] })
})

test.each([
  ['the first', `[${bad}, ${ping}]`, 1, `<tool_call>[${bad}, x`],
  ['the second', `[${ping}, ${bad}, ${ping}]`, 2, `, ${bad}, x`],
  ['the second, and no comma after it', `[${ping}, ${bad} ${ping}]`, 2, `, ${bad} x`],
  ['the last', `[${ping}, ${bad}]`, 1, `, ${bad}]</tool_call>x`],
  ['the last, and no bracket after it', `[${ping}, ${bad}`, 1, `, ${bad}</tool_call>x`],
  ['the third, without a list', `${ping}${ping}${bad}${ping}`, 3, `${bad}x`],
  [
    'the second, which has an envelope in it',
    `[${ping}, {"name": "set_lamp", "arguments": {"room": no ${ping}}}, ${ping}]`,
    2,
    `, {"name": "set_lamp", "arguments": {"room": no ${ping}}}, x`,
  ],
])('of several calls %s cannot be read: the others are made', (_, inner, count, text) => {
  const heard = hear('hermes', `<tool_call>${inner}</tool_call>x`)
  expect(heard).toMatchObject({ calls: Array(count).fill('ping {}'), text, failures: ['unreadable'] })
})

test('from a call on whose name is none, a list is text', () => {
  const heard = hear('hermes', `<tool_call>[${ping}, ${strange}, ${ping}]</tool_call>`)
  expect(heard).toMatchObject({ calls: ['ping {}'], text: `, ${strange}, ${ping}]</tool_call>`, failures: [] })
})

test.each([
  [`[${ping}, ${ping}`, 2, '', [], 'tool_calls'],
  [`[${ping}, {"name": "set_lamp", "arguments": {"room": "d`, 1, 'd', ['cut-off'], 'length'],
  [`[${ping}, {"name": "no such"`, 1, '', [], 'length'],
])('where the length ran out, the calls of %s that are whole are made', (inner, count, end, failures, finish) => {
  const heard = hear('hermes', `<tool_call>${inner}`, { ends: 'length' })
  expect(heard).toMatchObject({ calls: Array(count).fill('ping {}'), failures, finish })
  expect(heard.text.endsWith(end)).toBe(true)
})

test.each(['', ' ', ',', ', ', '\n'])('two calls in one pair of marks, with %j between them, are two', (between) => {
  const heard = hear('hermes', `<tool_call>${ping}${between}${ping}</tool_call>`)
  expect(heard).toMatchObject({ calls: ['ping {}', 'ping {}'], text: '' })
})
