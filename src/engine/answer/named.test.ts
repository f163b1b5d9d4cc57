import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const kimi = (id: string, json: string) =>
  `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${json}<|tool_call_end|>x`
const glm = (inner: string) => `<tool_call>${inner}<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>x`

test.each([
  ['kimi-k2', kimi('ping', '{}'), 'ping {}', []],
  ['kimi-k2', kimi('functions.nosuch:0', '{}'), 'nosuch {}', ['unknown_tool nosuch']],
  [
    'kimi-k2',
    kimi('call_9f8e', '{"room": "den", "level": "3"}'),
    'set_lamp {"room": "den", "level": 3}',
    ['name_inferred set_lamp', 'coerced string to integer'],
  ],
  ['qwen3-coder', '<function=ping/>x', 'ping {}', []],
  ['qwen3-coder', '<function=set_lamp/>x', 'set_lamp {}', []],
  ['qwen3-coder', '<function=nosuch/>x', 'nosuch {}', ['unknown_tool nosuch']],
  ['qwen3-coder', '<function=ping\n</function>x', 'ping {}', []],
  ['qwen3-coder', '<tool_call>ping</tool_call>x', 'ping {}', []],
  ['glm-4.5', glm('nosuch\n'), 'nosuch {"a":1}', ['unknown_tool nosuch']],
  ['glm-4.5', glm('nosuch \n'), 'nosuch {"a":1}', ['unknown_tool nosuch']],
  ['glm-4.5', glm('ping '), 'ping {"a":1}', []],
  ['glm-4.5', '<tool_call>set_lamp</tool_call>x', 'set_lamp {}', []],
  ['xml-toolname', '<ping/>x', 'ping {}', []],
  ['xml-toolname', 'set_lamp\n<room>den</room>\n</set_lamp>x', 'set_lamp {"room":"den"}', []],
  ['xml-toolname', 'set_lamp:\n<room>den</room>\n</set_lamp>x', 'set_lamp {"room":"den"}', []],
  ['deepseek-v3.1', '<｜tool▁call▁begin｜>ping<｜tool▁sep｜>```json\n{}\n```<｜tool▁call▁end｜>x', 'ping {}', []],
])('%s: %j is the call %s', (dialect, said, call, notes) => {
  expect(hear(dialect, said)).toMatchObject({ calls: [call], text: 'x', notes, failures: [] })
})

test.each([
  ['kimi-k2', kimi('call_9f8e', '{"nope": 1}')],
  ['kimi-k2', kimi('call_9f8e', '[1]')],
  ['qwen3-coder', '<function=nosuch <b>x</b>'],
  ['qwen3-coder', '<tool_call>nosuch</tool_call>x'],
  ['glm-4.5', glm('nosuch ')],
  ['glm-4.5', '<tool_call>nosuch'],
  ['glm-4.5', '<tool_call>ping'],
  ['xml-toolname', '<set_lamp/>x'],
  ['xml-toolname', '<set_lamp></set_lamp>x'],
  ['xml-toolname', 'set_lamp\n<zone>den</zone>\n</set_lamp>x'],
  ['xml-toolname', 'ping\n<zone>den</zone>\n</ping>x'],
  ['mistral-v11', '[TOOL_CALLS]set_lamp'],
  ['react', 'Action: ping'],
  ['react', 'Action: set_lamp\nAction Input:'],
])('%s: %j is no call', (dialect, text) => {
  expect(hear(dialect, text)).toMatchObject({ calls: [], text, notes: [], failures: [] })
})

test.each([
  ['mistral-v11', '[TOOL_CALLS]ping'],
  ['mistral-v11', '[TOOL_CALLS]ping[ARGS]'],
  ['react', 'Action: ping\nAction Input:'],
])('%s: %j is a call without arguments, unless the length ran out there', (dialect, text) => {
  expect(hear(dialect, text)).toMatchObject({ calls: ['ping {}'], text: '', finish: 'tool_calls' })
  expect(hear(dialect, text, { ends: 'length' })).toMatchObject({ calls: [], text, finish: 'length' })
})

test('where no tools are known, a word between the marks of a call is one', () => {
  const heard = hear('qwen3-coder', '<tool_call>nosuch</tool_call>x', { tools: [] })
  expect(heard).toMatchObject({ calls: ['nosuch {}'], text: 'x', notes: ['unknown_tool nosuch'] })
})
