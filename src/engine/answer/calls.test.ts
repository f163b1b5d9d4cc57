import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const ping = '{"name": "ping"}'
const kimi = '<|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>{}<|tool_call_end|>'
const inSection = (inner: string) => `<|tool_calls_section_begin|>${inner}<|tool_calls_section_end|>`
const named = (inner: string) => `<tool_call><name>set_lamp</name><arguments>${inner}</arguments></tool_call>`

test.each([
  ['hermes', `<tool_call>[${ping}, ${ping}]</tool_call>x`, 2],
  ['hermes', `<tool_call>[${ping} ${ping},]</tool_call>x`, 2],
  ['hermes', `<tool_call>[${ping}, ${ping}</tool_call>x`, 2],
  ['hermes', `<tool_call>${ping}\n${ping}\n${ping}</tool_call>x`, 3],
  ['hermes', `<tool_call>{"tool_calls": [${ping}, ${ping}]}</tool_call>x`, 2],
  ['hermes', `<tool_call> { "tool_calls" : [ ${ping} ] } </tool_call>x`, 1],
  ['hermes', `<tool_call>{"id": 5, "name": "ping"}</tool_call>x`, 1],
  ['kimi-k2', `${inSection(`${kimi}, ${kimi} ; ${kimi}`)}x`, 3],
  ['kimi-k2', `${inSection(ping)}x`, 1],
  ['kimi-k2', `${kimi}x`, 1],
  ['yaml-xml', '<ping></ping>x', 1],
  ['xml-name-args', '<tool_call><name>ping</name><arguments></arguments></tool_call>x', 1],
  ['gemma4', '<|tool_call>call:ping<tool_call|>x', 1],
])('%s: %s is read whole', (dialect, said, count) => {
  expect(hear(dialect, said)).toMatchObject({ calls: Array(count).fill('ping {}'), text: 'x', failures: [] })
})

test.each([
  ['hermes', '<tool_call>[]</tool_call>x'],
  ['hermes', '<tool_call>[5]</tool_call>x'],
  ['hermes', '<tool_call>[{"x": 1}]</tool_call>x'],
  ['kimi-k2', '<|tool_call_begin|>0<|tool_call_argument_begin|>{"room", 1}<|tool_call_end|>'],
  ['xml-name-args', '<tool_call><name>ping</name><arguments>5</arguments></tool_call>x'],
  ['mistral-v11', '[TOOL_CALLS]ping x'],
])('%s: %s is no call', (dialect, said) => {
  expect(hear(dialect, said)).toMatchObject({ calls: [], text: said, failures: [], notes: [] })
})

test.each([
  ['hermes', `<tool_call>[${ping}, {"x": 1}]</tool_call>`, ', {"x": 1}]</tool_call>', []],
  ['hermes', `<tool_call>${ping}\n{"x": 1}</tool_call>`, '{"x": 1}</tool_call>', []],
  ['hermes', `<tool_call>[${ping}, {"name": "ping", "arguments": 5}]`, ', {"name": "ping", "arguments": 5}]', []],
  ['kimi-k2', inSection(`${kimi} words`), 'words<|tool_calls_section_end|>', []],
])('%s: of %s the first call is made, the rest is text', (dialect, said, text, failures) => {
  expect(hear(dialect, said)).toMatchObject({ calls: ['ping {}'], text, failures, finish: 'tool_calls' })
})

test.each([
  ['hermes', `<tool_call>[${ping}, {"x`, ', {"x', []],
  ['hermes', `<tool_call>[${ping}, {"name": "ping", "arguments": {`, ', {"name": "ping", "arguments": {', ['cut-off']],
  ['kimi-k2', `${kimi}<|tool_call_begin|>functions.ping`, '<|tool_call_begin|>functions.ping', []],
])('%s: %s was cut off in its second call', (dialect, said, text, failures) => {
  const heard = hear(dialect, said, { ends: 'length' })
  expect(heard).toMatchObject({ calls: ['ping {}'], text, failures, finish: 'length' })
})

test.each([
  ['{"room": "den"}', '{"room": "den"}'],
  ['<room>den</room><level>3</level>', '{"room":"den","level":3}'],
  ['{ &quot;room&quot;: &quot;a &amp; b&quot; }', '{ "room": "a & b" }'],
  ['<![CDATA[{"room": "</arguments>"}]]>', '{"room": "</arguments>"}'],
  ['<![CDATA[ {"room": "den"} ]]> ', '{"room": "den"}'],
])('arguments in XML: %s is %s', (inner, json) => {
  expect(hear('xml-name-args', `${named(inner)}x`)).toMatchObject({ calls: [`set_lamp ${json}`], text: 'x' })
})

test.each([
  ['xml-name-args', '<tool_call><name>set_lamp</name><arguments>{&quot;room&quot;: &quot;d', 'length', 'length'],
  ['xml-name-args', '<tool_call><name>set_lamp</name><arguments>{&quot;room&quot;: &quot;d&quot;}', 'length', 'length'],
  ['yaml-xml', '<set_lamp>\nroom: den\n', 'length', 'length'],
  ['yaml-xml', '<set_lamp>\n- a\n</set_lamp>', 'stop', 'stop'],
] as const)('%s: %s fails before a call is told', (dialect, said, ends, finish) => {
  expect(hear(dialect, said, { ends })).toMatchObject({ calls: [], text: said, failures: [], finish })
})

test.each(['<tool_call>x"name": "ping", "arguments": {}}</tool_call>', '<tool_call>"name": "ping"}</tool_call>'])(
  '%s has no brace to begin with and is no call',
  (said) => {
    expect(hear('hermes', said)).toMatchObject({ calls: [], text: said })
  },
)

test.each([
  ['<|tool_calls_section_begin|><|tool_calls_section_end|> more', 'more'],
  ['Text.\n<|tool_calls_section_begin|><|tool_calls_section_end|>', 'Text.\n'],
  [`${kimi}\n<|tool_calls_section_begin|><|tool_calls_section_end|>\nmore`, 'more'],
  [
    'Text <|tool_calls_section_begin|><|tool_calls_section_end|> more',
    'Text <|tool_calls_section_begin|><|tool_calls_section_end|> more',
  ],
  [
    'Text.\n<|tool_calls_section_begin|><|tool_calls_section_end|>\nmore',
    'Text.\n<|tool_calls_section_begin|><|tool_calls_section_end|>\nmore',
  ],
])('of marks around nothing in %j is left %j', (said, text) => {
  expect(hear('kimi-k2', said)).toMatchObject({ text })
})
