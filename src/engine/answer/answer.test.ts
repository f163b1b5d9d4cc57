import { describe, expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const ping = '<tool_call>{"name": "ping"}</tool_call>'
const message = '<|channel|>commentary to=functions.ping<|message|>{}<|call|>'
const kimi = '<|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>{}<|tool_call_end|>'

/** As if the request held these calls, as name and arguments. */
function quoting(...calls: readonly string[]) {
  return {
    mayHave: (name: string) => calls.some((call) => call.startsWith(`${name} `)),
    has: (name: string, json: string) => calls.includes(`${name} ${json}`),
  }
}

describe('what stands in the request', () => {
  test.each([
    ['hermes', ping],
    ['harmony', message],
    ['kimi-k2', kimi],
  ])('%s: is repeated, not called', (dialect, call) => {
    const heard = hear(dialect, call, { quoted: quoting('ping {}') })
    expect(heard).toMatchObject({ calls: [], text: call, notes: ['echo'], finish: 'stop' })
  })
  test.each([
    ['hermes', '<tool_call>{"name": "ping", "arguments": {"a": 1}}</tool_call>'],
    ['harmony', '<|channel|>commentary to=functions.ping<|message|>{"a": 1}<|call|>'],
  ])('%s: does not keep another call from being made', (dialect, call) => {
    const heard = hear(dialect, call, { quoted: quoting('ping {}') })
    expect(heard).toMatchObject({ calls: ['ping {"a": 1}'], text: '', notes: [] })
  })
  test('is text as a whole where one of several calls does', () => {
    const both = '<tool_call>[{"name": "ping", "arguments": {}}, {"name": "ping", "arguments": {"a": 1}}]</tool_call>'
    expect(hear('hermes', both, { quoted: quoting('ping {}') })).toMatchObject({ calls: [], text: both })
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
  ['hermes', `${ping}${ping}`],
  ['harmony', `${message}<|start|>assistant${message}`],
])('%s: and so it is where the request holds another call of the tool', (dialect, said) => {
  const heard = hear(dialect, said, { parallel: false, quoted: quoting('ping {"a": 1}') })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '', notes: ['cut_after_first_call'] })
})

test.each([
  ['hermes', `<tool_call>{"x": 1}</tool_call>\n${ping}`, 'tool_calls'],
  ['hermes', '<tool_call>[{"name": "ping"}, {"x": 1}]</tool_call>', 'tool_calls'],
  ['harmony', `<|channel|>commentary to=functions.ping<|message|>what<|end|>${message}`, 'tool_calls'],
  ['hermes', `${ping}<tool_call>{"name": "pi`, 'length'],
  ['harmony', `${message}<|channel|>commentary to=functions.ping<|message|>`, 'length'],
  ['harmony', `${message}<|start|>assistant<|channel|>commentary to=functions.pi`, 'length'],
  ['xml-toolname', '<ping>\n</ping>\n\n<set_la', 'length'],
  ['functionary-v3.2', '>>>ping\n{}>>>set_la', 'length'],
])('%s: when the length ran out, %s ends with %s', (dialect, said, finish) => {
  expect(hear(dialect, said, { ends: 'length' })).toMatchObject({ calls: ['ping {}'], finish })
})

test('white space before the first message is layout', () => {
  expect(hear('harmony', '\n<|channel|>final<|message|>Hi')).toMatchObject({ text: 'Hi', notes: [] })
})

test('a mark that only leads up to a thought is dropped with the white space around it', () => {
  const heard = hear('hermes', ' <|im_start|>\n<think>a</think>hi')
  expect(heard).toMatchObject({ text: 'hi', reasoning: 'a', notes: ['mark_dropped <|im_start|>'] })
})

test.each(['.', '!', '?'])('a token of the model begins a thought right after a sentence that ends with %s', (end) => {
  const heard = hear('mistral-v11', `Done${end}[THINK]why[/THINK]`)
  expect(heard).toMatchObject({ text: `Done${end}`, reasoning: 'why' })
})

test('marks of another dialect around a call go with it', () => {
  const section = `<|tool_calls_section_begin|>\n${ping}\n<|tool_calls_section_end|>`
  expect(hear('hermes', `Words.\n${section}`)).toMatchObject({ calls: ['ping {}'], text: 'Words.' })
})

test('white space of any length stands between words once', () => {
  const text = `a${' '.repeat(3000)}b${'\n'.repeat(3000)}c`
  expect(hear('hermes', text).text).toBe(text)
})
