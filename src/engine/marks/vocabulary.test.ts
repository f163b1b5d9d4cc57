import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import type { Tool } from '../../protocol/tool.ts'

const marked = (inner: string) => `<tool_call>${inner}</tool_call>`
const ping = marked('{"name": "ping"}')

test.each(['functionCall', 'tool_use', 'toolUse', 'tool_call', 'function_call', 'tool_calls', 'function'])(
  'an envelope may stand under %s',
  (key) => {
    const text = marked(`{"${key}": {"name": "ping", "input": {}}}`)
    expect(hear('hermes', text)).toMatchObject({ calls: ['ping {}'], text: '', notes: [] })
  },
)

test.each(['arguments', 'parameters', 'args', 'input', 'params', 'action_input', 'tool_input', 'kwargs'])(
  'arguments may stand under %s, where nobody marked the call, too',
  (key) => {
    const envelope = `{"name": "ping", "${key}": {}}`
    expect(hear('hermes', marked(envelope))).toMatchObject({ calls: ['ping {}'], notes: [] })
    expect(hear('hermes', envelope)).toMatchObject({ calls: ['ping {}'], notes: ['call_unmarked'] })
  },
)

test.each(['id', 'type', 'index', 'call_id', 'tool_call_id', 'toolUseId', 'thought', 'thoughts', 'reasoning'])(
  'a member %s says nothing a call needs',
  (key) => {
    const text = `{"${key}": "x", "name": "ping", "arguments": {}}`
    expect(hear('hermes', text)).toMatchObject({ calls: ['ping {}'], text: '' })
    expect(hear('hermes', marked(`{"name": "ping", "${key}": "x"}`))).toMatchObject({ calls: ['ping {}'], text: '' })
  },
)

test.each(['<bos>', '<eos>', '<|im_start|>', '<|im_end|>', '<|endoftext|>', '<|end_of_text|>', '<|begin_of_text|>'])(
  'the token %s next to a call, and in it before its arguments, is dropped',
  (token) => {
    expect(hear('mistral-v3', `${ping}${token}`)).toMatchObject({ calls: ['ping {}'], text: '' })
    expect(hear('mistral-v3', `${token}${ping}`)).toMatchObject({ calls: ['ping {}'], text: '' })
    const inside = marked(`${token}\n{"name": "ping"}`)
    expect(hear('mistral-v3', inside)).toMatchObject({ calls: ['ping {}'], text: '' })
  },
)

test.each(['think', 'thinking'])('<%s> holds a thought in any dialect', (name) => {
  expect(hear('kimi-k2', `<${name}>So.</${name}>Hi`)).toMatchObject({ text: 'Hi', reasoning: 'So.' })
  expect(hear('kimi-k2', `So.</${name}>Hi`, { startsIn: 'reasoning' })).toMatchObject({ text: 'Hi', reasoning: 'So.' })
})

const speaking = (properties: readonly string[], required: readonly string[]): Tool => ({
  kind: 'function',
  name: 'speak',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(properties.map((key) => [key, { type: 'string' }])),
    required,
  },
})
const spoken = '<speak>\nWell done.\n</speak>'

test.each(['message', 'text', 'question', 'result', 'answer', 'response', 'thought'])(
  'words in the tag of a tool that needs a %s are that',
  (key) => {
    for (const [properties, required] of [
      [[key], [key]],
      [[key, 'volume'], []],
    ] as const) {
      const heard = hear('xml-toolname', spoken, { tools: [speaking(properties, required)] })
      expect(heard).toMatchObject({ calls: [`speak {"${key}":"Well done."}`], text: '' })
    }
  },
)

test.each([
  ['needs two things', ['text', 'volume'], ['text', 'volume']],
  ['takes two texts', ['text', 'answer'], []],
  ['takes something else', ['volume'], ['volume']],
])('words in the tag of a tool that %s are no call', (_, properties, required) => {
  const heard = hear('xml-toolname', spoken, { tools: [speaking(properties, required)] })
  expect(heard).toMatchObject({ calls: [], text: spoken })
})
