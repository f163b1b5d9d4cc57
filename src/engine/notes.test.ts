import { expect, test } from 'vitest'
import { hear } from '../../test/engine/hear.ts'

const envelope = (inner: string, name = 'set_lamp') =>
  `<tool_call>{"name": "${name}", "arguments": ${inner}}</tool_call>`
const element = (inner: string) => `<tool_call>\n<function=set_lamp>\n${inner}\n</function>\n</tool_call>`

/** Whoever looks at a trace reads these: what was mended, and what exactly. */
test.each([
  ['hermes', envelope('{"room": "den"}'), []],
  ['hermes', envelope('null', 'ping'), ['arguments_repaired null to {}']],
  ['hermes', envelope('[]', 'ping'), ['arguments_repaired [] to {}']],
  ['hermes', envelope('""', 'ping'), ['arguments_repaired unwrapped from a string']],
  ['hermes', envelope('"{\\"room\\": \\"den\\"}"'), ['arguments_repaired unwrapped from a string']],
  ['hermes', envelope('{"input": {"room": "den"}}'), ['arguments_repaired unwrapped from an object']],
  ['hermes', envelope('{"ROOM": "den"}'), ['key_corrected ROOM to room']],
  ['hermes', envelope('{"room": 5}'), ['coerced integer to string']],
  ['hermes', envelope('{"room": {}}'), ['coerced JSON to its text']],
  ['hermes', envelope('{"on": TRUE}'), ['json_repaired TRUE to true']],
  ['hermes', '<tool_call>{"arguments": {}, "name": "ping"}</tool_call>', ['arguments_first']],
  ['hermes', '<tool_call>{"name": "dim"}</tool_call>', ['unknown_tool dim']],
  ['hermes', '<tool_call>{"name": "tool.Ping"}</tool_call>', ['name_corrected tool.Ping to ping']],
  ['hermes', '<tool_call>{"name": "ping"}', ['closer_missing \n</tool_call>']],
  ['hermes', '<tool_call>{"name": "ping"}</tool_call></tool_call>', ['mark_dropped </tool_call>']],
  ['hermes', '```\n<tool_call>{"name": "ping"}</tool_call>\n```', ['fence_removed']],
  ['hermes', '<think>So\n<tool_call>{"name": "ping"}</tool_call>', ['thought_unclosed']],
  [
    'qwen3-coder',
    element('<parameter=input>{"room": "den"}</parameter>'),
    ['arguments_repaired unwrapped from an argument'],
  ],
  ['qwen3-coder', element('<parameter=room>den<parameter=on>true</parameter>'), ['closer_missing </parameter>']],
  ['qwen3-coder', element('<parameter=room>a </parameter> b</parameter>'), ['closer_quoted </parameter>']],
  ['gemma4', '<|tool_call>call:set_lamp{room:<|"|>den<|"|>,tags:[<|"|>a<|"|><tool_call|>', ['json_repaired brackets']],
  ['pythonic', '[set_lamp("den", tags={"a"})]', ['positional_argument room', 'set_to_list']],
  [
    'kimi-k2',
    '<|tool_call_begin|>0<|tool_call_argument_begin|>{"room": "den"}<|tool_call_end|>',
    ['name_inferred set_lamp'],
  ],
  [
    'xml-name-args',
    '<tool_call><name>set_lamp</name><arguments>{&quot;room&quot;: &quot;a&quot;}</arguments></tool_call>',
    ['arguments_repaired entities decoded'],
  ],
  ['granite-20b-fc', '<function_call> {"name": "no_function", "arguments": {}}', ['decoy_dropped']],
  ['react', 'Action: ping\nAction Input: {}\nObservation: none', ['cut_after_first_call']],
])('%s: of %s is noted %j', (dialect, text, notes) => {
  expect(hear(dialect, text).notes).toEqual(notes)
})

test('a call that stands in the request is noted as an echo', () => {
  const text = '<tool_call>{"name": "ping"}</tool_call>'
  expect(hear('hermes', text, { quoted: { mayHave: () => true, has: () => true } }).notes).toEqual(['echo'])
})
