import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, type OpenAiDouble, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { ask } from '../server/scripted.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

let double: OpenAiDouble
let gateway: RunningGateway

beforeAll(async () => {
  double = await startOpenAiDouble({ respond: () => answer({ text: 'Done.' }) })
  const model = { upstream: 'service', model: 'm' }
  gateway = await startGateway({
    config: {
      upstreams: { service: { kind: 'openai', url: double.url, flavour: 'deepseek' } },
      models: { native: { ...model, tools: 'native' }, hermes: { ...model, tools: 'prompt', dialect: 'hermes' } },
    },
  })
})
afterAll(async () => {
  await gateway.stop()
  await double.close()
})

/** A body in which one answer thinks, speaks and calls by turns, as the wire of the door has it. */
type History = (model: string) => readonly [path: string, body: object]

const messages: History = (model) => [
  '/v1/messages',
  {
    model,
    max_tokens: 100,
    tools: [{ name: 'read', input_schema: schema }],
    messages: [
      { role: 'user', content: 'Compare a and b.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Both.', signature: '' },
          { type: 'text', text: 'First a.' },
          { type: 'tool_use', id: 'toolu_a', name: 'read', input: { path: 'a' } },
          { type: 'thinking', thinking: 'Now b.', signature: '' },
          { type: 'text', text: 'Then b,' },
          { type: 'text', text: 'twice.' },
          { type: 'tool_use', id: 'toolu_b', name: 'read', input: { path: 'b' } },
          { type: 'tool_use', id: 'toolu_c', name: 'read', input: { path: 'b' } },
          { type: 'text', text: 'That is all.' },
        ],
      },
      {
        role: 'user',
        content: ['toolu_b', 'toolu_a', 'toolu_c'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })),
      },
    ],
  },
]

const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const called = (id: string, path: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: JSON.stringify({ path }),
})
const thought = (text: string) => ({ type: 'reasoning', summary: [{ type: 'summary_text', text }] })

const responses: History = (model) => [
  '/v1/responses',
  {
    model,
    store: false,
    tools: [{ type: 'function', name: 'read', parameters: schema }],
    input: [
      { role: 'user', content: 'Compare a and b.' },
      ...[thought('Both.'), said('First a.'), called('toolu_a', 'a'), thought('Now b.'), said('Then b,')],
      ...[said('twice.'), called('toolu_b', 'b'), called('toolu_c', 'b'), said('That is all.')],
      ...['toolu_b', 'toolu_a', 'toolu_c'].map((id) => ({ type: 'function_call_output', call_id: id, output: id })),
    ],
  },
]

/** These wires tell no order: thoughts, words and calls have a field each. */
const call = (id: string, path: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: `{"path":"${path}"}` },
})
const unordered = { content: 'First a.', tool_calls: [call('a', 'a'), call('b', 'b')] }

const chat: History = (model) => [
  '/v1/chat/completions',
  {
    model,
    tools: [{ type: 'function', function: { name: 'read', parameters: schema } }],
    messages: [
      { role: 'user', content: 'Compare a and b.' },
      { role: 'assistant', reasoning_content: 'Both.', ...unordered },
      ...['b', 'a'].map((id) => ({ role: 'tool', tool_call_id: id, content: id })),
    ],
  },
]

const ollama: History = (model) => [
  '/api/chat',
  {
    model,
    stream: false,
    tools: [{ type: 'function', function: { name: 'read', parameters: schema } }],
    messages: [
      { role: 'user', content: 'Compare a and b.' },
      { role: 'assistant', thinking: 'Both.', ...unordered },
      ...['b', 'a'].map((id) => ({ role: 'tool', tool_call_id: id, content: id })),
    ],
  },
]

interface Sent {
  readonly role: string
  readonly content: string | null
  readonly reasoning_content?: string
  readonly tool_calls?: readonly { readonly id: string }[]
}

async function sentFor(history: History, model: string): Promise<Sent> {
  const [path, body] = history(model)
  const { status, text } = await ask(Number(new URL(gateway.origin).port), { path, body })
  expect(status, text).toBe(200)
  const { messages: sent } = (double.requests.at(-1)?.body ?? {}) as { messages?: readonly Sent[] }
  return sent?.find(({ role }) => role === 'assistant') ?? { role: 'none', content: null }
}

const read = (path: string): string => `<tool_call>\n{"name": "read", "arguments": {"path":"${path}"}}\n</tool_call>`

describe.each([
  ['messages', messages],
  ['responses', responses],
])('an answer told to %s in which words and calls take turns', (_, history) => {
  test('is printed in a prompt as it was, calls next to each other together', async () => {
    const { content } = await sentFor(history, 'hermes')
    const words = ['First a.', read('a'), 'Then b,\n\ntwice.', `${read('b')}\n${read('b')}`, 'That is all.']
    expect(content).toBe(words.join('\n\n'))
  })

  test('is natively one message: its words in their order, its calls in theirs', async () => {
    const { content, reasoning_content: thoughts, tool_calls: calls = [] } = await sentFor(history, 'native')
    expect(content).toBe('First a.\n\nThen b,\n\ntwice.\n\nThat is all.')
    expect(thoughts).toBe('Both.\n\nNow b.')
    expect(calls.map(({ id }) => id)).toEqual(['toolu_a', 'toolu_b', 'toolu_c'])
  })
})

describe.each([
  ['chat', chat],
  ['ollama', ollama],
])('an answer told to %s, which knows no order', (_, history) => {
  test('is printed in a prompt as words and then calls', async () => {
    const { content } = await sentFor(history, 'hermes')
    expect(content).toBe(`First a.\n\n${read('a')}\n${read('b')}`)
  })

  test('goes natively as it came', async () => {
    const { content, reasoning_content: thoughts, tool_calls: calls = [] } = await sentFor(history, 'native')
    expect([content, thoughts, calls.map(({ id }) => id)]).toEqual(['First a.', 'Both.', ['a', 'b']])
  })
})
