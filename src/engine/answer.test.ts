import { describe, expect, test } from 'vitest'
import { hear } from '../../test/engine/hear.ts'

const ping = '<tool_call>{"name": "ping"}</tool_call>'
const message = '<|channel|>commentary to=functions.ping<|message|>{}<|call|>'
const kimi = '<|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>{}<|tool_call_end|>'

test.each([
  ['a <b>b</co: 0> c', 'a <b>b c'],
  [`a </co:${'0'.repeat(127)}>b`, 'a b'],
  ['a </co:\nb>', 'a \nb>'],
  ['a </co:', 'a '],
])('a mark whose middle varies is left out up to its end, on its line: %s', (said, text) => {
  expect(hear('cohere-cmd3', said)).toMatchObject({ text, notes: ['mark_dropped </co:'] })
})

describe('what stands in the request', () => {
  test.each([
    ['hermes', ping],
    ['harmony', message],
    ['kimi-k2', kimi],
  ])('%s: is repeated, not called', (dialect, call) => {
    const heard = hear(dialect, call, { echo: (said) => `It says ${call} there.`.includes(said) })
    expect(heard).toMatchObject({ calls: [], text: call, notes: ['echo'], finish: 'stop' })
  })
  test.each([
    ['hermes', '<tool_call>{"name": "ping", "arguments": {"a": 1}}</tool_call>', ping],
    ['harmony', '<|channel|>commentary to=functions.ping<|message|>{"a": 1}<|call|>', message],
  ])('%s: does not keep another call from being made', (dialect, call, request) => {
    const heard = hear(dialect, call, { echo: (said) => request.includes(said) })
    expect(heard).toMatchObject({ calls: ['ping {"a": 1}'], text: '', notes: [] })
  })
  test('may be a mark alone: what is no call after it is text, what is one is called', () => {
    const heard = hear('hermes', `<tool_call>{"x": 1}</tool_call>\n${ping}`, { echo: (said) => said === '<tool_call>' })
    expect(heard).toMatchObject({ calls: ['ping {}'], text: '<tool_call>{"x": 1}</tool_call>' })
  })
})

test.each([
  ['hermes', `${ping}${ping}`],
  ['hermes', '<tool_call>[{"name": "ping"}, {"name": "ping"}]</tool_call>'],
  ['harmony', `${message}<|start|>assistant${message}`],
  ['kimi-k2', `<|tool_calls_section_begin|>${kimi}${kimi}<|tool_calls_section_end|>`],
])('%s: where one call is wanted, %s is one', (dialect, said) => {
  const heard = hear(dialect, said, { parallel: false })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '', notes: ['cut_after_first_call'] })
})

test.each([
  ['hermes', `${ping}${ping}`, '<tool_call>'],
  ['harmony', `${message}<|start|>assistant${message}`, '<|channel|>'],
])('%s: and so it is where the request holds the mark', (dialect, said, mark) => {
  const heard = hear(dialect, said, { parallel: false, echo: (text) => text === mark })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '', notes: ['cut_after_first_call'] })
})

test.each([
  ['hermes', `<tool_call>{"x": 1}</tool_call>\n${ping}`, 'tool_calls'],
  ['hermes', '<tool_call>[{"name": "ping"}, {"x": 1}]</tool_call>', 'tool_calls'],
  ['harmony', `<|channel|>commentary to=functions.ping<|message|>what<|end|>${message}`, 'tool_calls'],
  ['hermes', `${ping}<tool_call>{"name": "pi`, 'length'],
  ['harmony', `${message}<|channel|>commentary to=functions.ping<|message|>`, 'length'],
])('%s: when the length ran out, %s ends with %s', (dialect, said, finish) => {
  expect(hear(dialect, said, { ends: 'length' })).toMatchObject({ calls: ['ping {}'], finish })
})

test('white space before the first message is layout', () => {
  expect(hear('harmony', '\n<|channel|>final<|message|>Hi')).toMatchObject({ text: 'Hi', notes: [] })
})
