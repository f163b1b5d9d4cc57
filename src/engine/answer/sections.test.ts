import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const open = '<|tool_calls_section_begin|>'
const close = '<|tool_calls_section_end|>'
const begin = '<|tool_call_begin|>'
const kimi = `${begin}functions.ping:0<|tool_call_argument_begin|>{}<|tool_call_end|>`
const ping = '{"name": "ping"}'

test.each([
  ['a list of envelopes', `${open}[${ping}, ${ping}]${close}x`, 2, 'x', []],
  ['a list of envelopes after a call', `${open}${kimi}, [${ping}]${close}x`, 2, 'x', []],
  ['no closer', `${open}${kimi}`, 1, '', []],
  ['half a closer', `${open}${kimi}\n<|tool_calls_sec`, 1, '', []],
  ['words where its closer should be', `${open}${kimi}\n<|tool_calls_sec words`, 1, '<|tool_calls_sec words', []],
  ['words between its calls', `${open}${kimi} so ${kimi}${close} x`, 2, 'so  x', [`mark_dropped ${close}`]],
  ['a call that is begun anew', `${open}${begin}functions.pi${kimi}${close}x`, 1, 'x', [`mark_dropped ${begin}`]],
  ['a mark that is written twice', `${open}${begin}${kimi}${close}x`, 1, 'x', [`mark_dropped ${begin}`]],
  ['all of it twice, its opener once', `${open}${kimi}${close}${kimi}${close}x`, 1, 'x', ['echo']],
  ['a second call behind it', `${open}${kimi}${close}${kimi}x`, 2, 'x', []],
  ['an empty one after a call', `${kimi}\n${open}${close} x`, 1, 'x', [`mark_dropped ${open}`]],
  ['an empty one', `${open}${close}x`, 0, 'x', [`mark_dropped ${open}`]],
  ['an empty one at the end', `a\n${open}${close}`, 0, 'a\n', [`mark_dropped ${open}`]],
  ['an empty one between words', `a\n${open}${close}x`, 0, `a\n${open}${close}x`, []],
  ['an empty list', `${open}[]${close}x`, 0, 'x', [`mark_dropped ${open}`]],
  ['an empty list at the end', `${open}[]`, 0, '', [`mark_dropped ${open}`]],
  ['an empty list without its closer', `${open}[]x`, 0, `${open}[]x`, []],
  ['a mark alone', open, 0, open, []],
])('a section: %s', (_, said, count, text, notes) => {
  expect(hear('kimi-k2', said)).toMatchObject({ calls: Array(count).fill('ping {}'), text, notes, failures: [] })
})

test('a section that was not taught is text where it is empty', () => {
  for (const text of [`${open}[]${close}`, `${open}[]`]) expect(hear('hermes', text)).toMatchObject({ text, notes: [] })
})

test('tags around nothing are text, as an example of them would be', () => {
  for (const text of ['<function_calls>\n</function_calls>', '<function_calls>\n</function_calls>x'])
    expect(hear('anthropic-xml', text)).toMatchObject({ text, calls: [], notes: [] })
})

test('half a closer of a section, where the length ran out, may have been a call', () => {
  const heard = hear('kimi-k2', `${open}${kimi}\n<|tool_calls_sec`, { ends: 'length' })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '', finish: 'length' })
})

test('in a list of which the first call was made, a tool nobody knows is called', () => {
  const heard = hear('pythonic', '[ping(); nosuch()]')
  expect(heard).toMatchObject({ calls: ['ping {}', 'nosuch {}'], notes: ['unknown_tool nosuch'] })
  expect(hear('pythonic', 'So: [ping(), nosuch()]').calls).toEqual([])
})
