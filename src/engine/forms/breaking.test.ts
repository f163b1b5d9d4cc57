import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const [lamp, ping] = ['{"name": "set_lamp", "arguments": ', '{"name": "ping", "arguments": ']

const next = '{"name": "write_note", "arguments": {"text": "a"}}'
const tagged = '<tool_call>\n<function=write_note>\n<parameter=text>\na\n</parameter>\n</function>\n</tool_call>'

test.each([
  ['hermes', `<tool_call>${lamp}{"room": "den"\n<tool_call>${next}</tool_call>`],
  ['hermes', `<tool_call>${lamp}{"room": "den\n<tool_call>${next}</tool_call>`],
  ['qwen3-coder', `<tool_call>\n<function=set_lamp>\n<parameter=room>\nden\n${tagged}`],
  ['gemma4', '<|tool_call>call:set_lamp{room:<|"|>den<|"|>\n<|tool_call>call:write_note{text:<|"|>a<|"|>}<tool_call|>'],
])('%s: a call that broke off is refused, and the next one made', (dialect, text) => {
  const { calls, failures } = hear(dialect, text)
  expect([calls.map((call) => call.replaceAll(' ', '')), failures]).toEqual([
    ['write_note{"text":"a"}'],
    ['unreadable'],
  ])
})

test.each([
  ['hermes', `<tool_call>${lamp}{"room": "den"}}\n<tool_call>${ping}{}}</tool_call>`],
  [
    'glm-4.5',
    '<tool_call>set_lamp\n<arg_key>room</arg_key>\n<arg_value>den</arg_value>\n<tool_call>ping\n</tool_call>',
  ],
])('%s: a call that lacks only its closers is made, and so is the next one', (dialect, text) => {
  const { calls, failures } = hear(dialect, text)
  expect([calls.map((call) => call.replaceAll(' ', '')), failures]).toEqual([['set_lamp{"room":"den"}', 'ping{}'], []])
})

test.each([
  ['of another tool', `<tool_call>{"name": "set_lamp", "\n<tool_call>${ping}{}}</tool_call>`],
  ['in a list', '<tool_call>{"name": "set_lamp", "arguments": {"tool_calls": []}}</tool_call>'],
  ['where arguments should be', `<tool_call>${lamp}${ping}{}}}</tool_call>`],
])('no call gets the arguments of one %s', (_, text) => {
  expect(hear('hermes', text).calls.filter((call) => call !== 'ping {}')).toEqual([])
})

test.each([
  ['hermes', `<tool_call>${lamp}{</tool_call>`, 0],
  ['hermes', `<tool_call>${ping}{</tool_call>`, 1],
  ['gemma4', '<|tool_call>call:set_lamp{<tool_call|>', 0],
  ['gemma4', '<|tool_call>call:ping{<tool_call|>', 1],
  ['gemma4', '<|tool_call>call:set_lamp{level:3\n4}<tool_call|>', 0],
])('%s: %s, where nothing came, is a call only of a tool that needs nothing', (dialect, text, count) => {
  expect(hear(dialect, text).calls).toHaveLength(count)
})

test.each([
  ['pythonic', '[write_note(text="say "ping()" so")]', 1],
  ['pythonic', '[write_note(text="say "set_lamp(room=1)" so")]', 0],
  ['hermes', '<tool_call>{"name": "write_note", "arguments": {"text": "say "hi" and <tool_call> so"}}</tool_call>', 0],
  ['hermes', '<tool_call>{"name": "write_note", "arguments": {"text": "say <tool_call> so"}}</tool_call>', 1],
])('%s: only with quotes that should be escaped may %s hold another call', (dialect, text, count) => {
  expect(hear(dialect, text).calls).toHaveLength(count)
})

test('a message that was begun anew is for whom it says last', () => {
  const head = '<|start|>assistant<|channel|>commentary to=functions.'
  const heard = hear('harmony', `${head}ping${head}set_lamp <|constrain|>json<|message|>{"room": "den"}<|call|>`)
  expect(heard).toMatchObject({ calls: ['set_lamp {"room": "den"}'], text: '' })
})

test('a key that is odd but right is one', () => {
  const { calls } = hear('hermes', `<tool_call>${lamp}{"room": "den", "a{\\"b": 1}, "c{": 2}</tool_call>`)
  expect(calls).toEqual(['set_lamp {"room": "den", "a{\\"b": 1}'])
})
