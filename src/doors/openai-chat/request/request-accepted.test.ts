import { describe, expect, test } from 'vitest'
import { callsOf, inUsualOrder } from '../../../protocol/message.ts'
import { readRequest } from './request.ts'

const user = { role: 'user', content: 'hi' }
const read = (over: object) => readRequest({ model: 'm', messages: [user], ...over })
const toolCall = (id: string, name = 'read', args = '{"path":"a"}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const readTool = { type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }

/** Shapes real agents send, cut down to what is special about them. */
const accepted: readonly (readonly [client: string, body: object])[] = [
  ['the shortest request', {}],
  ['no tools as an empty list', { tools: [], tool_choice: 'auto' }],
  [
    'nulls for what is not given',
    { tools: null, tool_choice: null, temperature: null, stop: null, stream_options: null, n: null, user: null },
  ],
  ['a tool without parameters', { tools: [{ type: 'function', function: { name: 'ping' } }] }],
  [
    'a tool whose schema is empty',
    { tools: [{ type: 'function', function: { name: 'ping', description: '', parameters: {} } }] },
  ],
  [
    'a schema with references',
    {
      tools: [
        {
          type: 'function',
          function: { name: 'x', parameters: { $ref: '#/$defs/a', $defs: { a: { type: 'object' } } } },
        },
      ],
    },
  ],
  [
    'a nullable object schema',
    { tools: [{ type: 'function', function: { name: 'x', parameters: { type: ['object', 'null'] } } }] },
  ],
  [
    'a strict tool that is strict',
    {
      tools: [
        {
          type: 'function',
          function: {
            name: 'x',
            strict: true,
            parameters: {
              $schema: 'http://json-schema.org/draft-07/schema#',
              type: 'object',
              properties: { path: { type: 'string' } },
              required: ['path'],
              additionalProperties: false,
            },
          },
        },
      ],
    },
  ],
  ['choice none without tools', { tool_choice: 'none' }],
  ['parallel calls without tools', { parallel_tool_calls: false }],
  [
    'history that names tools not offered',
    {
      messages: [
        user,
        { role: 'assistant', content: '', tool_calls: [toolCall('a', 'invalid')] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
      tools: [readTool],
    },
  ],
  [
    'two assistants in a row, the last one trailing',
    { messages: [user, { role: 'assistant', content: 'a' }, { role: 'assistant', content: 'b' }] },
  ],
  ['two users in a row', { messages: [user, user] }],
  [
    'results in another order',
    {
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [toolCall('a'), toolCall('b')] },
        { role: 'tool', tool_call_id: 'b', content: '' },
        { role: 'tool', tool_call_id: 'a', content: [] },
        user,
      ],
    },
  ],
  [
    'ids counted anew each turn',
    {
      messages: [
        user,
        { role: 'assistant', tool_calls: [toolCall('call_0')] },
        { role: 'tool', tool_call_id: 'call_0', content: 'x' },
        { role: 'assistant', tool_calls: [toolCall('call_0')] },
        { role: 'tool', tool_call_id: 'call_0', content: 'y' },
        user,
      ],
    },
  ],
  ['a call still open at the end', { messages: [user, { role: 'assistant', tool_calls: [toolCall('a')] }] }],
  [
    'blank arguments',
    {
      messages: [
        user,
        { role: 'assistant', tool_calls: [toolCall('a', 'ping', '')] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    },
  ],
  [
    'cache_control everywhere',
    {
      messages: [
        { role: 'system', content: 's', cache_control: { type: 'ephemeral' } },
        { role: 'user', content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }] },
        { role: 'assistant', content: null, tool_calls: [{ ...toolCall('a'), cache_control: { type: 'ephemeral' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'x', cache_control: { type: 'ephemeral' } },
      ],
    },
  ],
  [
    'reasoning sent back, empty or not',
    {
      messages: [
        user,
        { role: 'assistant', content: 'a', reasoning_content: '' },
        { role: 'assistant', content: 'b', reasoning: 'hm' },
      ],
    },
  ],
  ['a refusal part', { messages: [user, { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }] }],
  [
    'annotations on a part',
    { messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'a', annotations: [] }] }] },
  ],
  [
    'the pair older Cline sends',
    {
      messages: [
        user,
        { role: 'assistant', tool_calls: [toolCall('a')] },
        { role: 'tool', tool_call_id: 'a', content: 'result missing' },
        { role: 'user', content: [{ type: 'text', text: '[read] Result:' }] },
      ],
    },
  ],
  ['an assistant that said nothing', { messages: [user, { role: 'assistant', content: null }, user] }],
]

describe('a request is accepted that brings', () => {
  test.each(accepted)('%s', (_client, over) => {
    expect(() => read(over)).not.toThrow()
  })
})

test('everything finds its place in the request', () => {
  const { request, stream, includeUsage, legacyFunctions } = read({
    stream: true,
    stream_options: { include_usage: true },
    tools: [readTool, { type: 'custom', custom: { name: 'sql', format: { type: 'text' } } }],
    tool_choice: { type: 'function', function: { name: 'read' } },
    parallel_tool_calls: false,
    temperature: 0,
    top_p: 0.5,
    max_tokens: 10,
    max_completion_tokens: 20,
    stop: 'END',
    n: 2,
    reasoning_effort: 'low',
    user: 'u',
    top_k: 5,
  })
  expect({ stream, includeUsage, legacyFunctions }).toEqual({
    stream: true,
    includeUsage: true,
    legacyFunctions: false,
  })
  expect(request).toEqual({
    model: 'm',
    messages: [user],
    tools: [
      { kind: 'function', name: 'read', parameters: { type: 'object', properties: {} } },
      { kind: 'custom', name: 'sql', format: { type: 'text' } },
    ],
    toolChoice: { mode: 'named', name: 'read' },
    parallelCalls: false,
    sampling: { temperature: 0, topP: 0.5 },
    maxTokens: 20,
    stop: ['END'],
    reasoning: { effort: 'low' },
    user: 'u',
    extra: { top_k: 5 },
  })
})

test('messages are translated role by role', () => {
  const { request } = read({
    messages: [
      { role: 'developer', content: 'rules' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:x', detail: 'low' } },
          { type: 'file', file: { file_id: 'f' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [toolCall('a'), { id: 'b', type: 'custom', custom: { name: 'sql', input: 'select 1' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'one' }], name: 'read' },
      { role: 'tool', tool_call_id: 'b', content: '' },
    ],
  })
  expect(request.messages).toEqual([
    { role: 'system', content: 'rules' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', url: 'data:x', detail: 'low' },
        { type: 'other', value: { type: 'file', file: { file_id: 'f' } } },
      ],
    },
    {
      role: 'assistant',
      content: inUsualOrder({
        reasoning: 'hm',
        calls: [
          { id: 'a', kind: 'function', name: 'read', arguments: '{"path":"a"}' },
          { id: 'b', kind: 'custom', name: 'sql', arguments: 'select 1' },
        ],
      }),
    },
    { role: 'tool', callId: 'a', content: [{ type: 'text', text: 'one' }], name: 'read' },
    { role: 'tool', callId: 'b', content: '' },
  ])
})

test('the older functions become tools, their calls and results linked by an id made up for them', () => {
  const { request, legacyFunctions } = read({
    functions: [{ name: 'read', parameters: { type: 'object', properties: {} } }],
    function_call: { name: 'read' },
    messages: [
      user,
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'text' },
      user,
    ],
  })
  expect(legacyFunctions).toBe(true)
  expect(request).toMatchObject({
    tools: [{ kind: 'function', name: 'read' }],
    toolChoice: { mode: 'named', name: 'read' },
    parallelCalls: false,
  })
  const [, asked, answered] = request.messages
  expect(asked && callsOf(asked)).toMatchObject([{ name: 'read', arguments: '{}' }])
  expect(answered).toMatchObject({
    role: 'tool',
    name: 'read',
    callId: asked && callsOf(asked)[0]?.id,
  })
})

test('allowed tools are read with their mode', () => {
  const allowed_tools = { mode: 'required', tools: [{ type: 'function', function: { name: 'read' } }] }
  const { request } = read({ tools: [readTool], tool_choice: { type: 'allowed_tools', allowed_tools } })
  expect(request.toolChoice).toEqual({ mode: 'allowed', required: true, names: ['read'] })
})

test('big integers in history arguments are kept digit by digit', () => {
  const args = '{"id": 9007199254740993, "x": 1.0}'
  const { request } = read({ messages: [user, { role: 'assistant', tool_calls: [toolCall('a', 'read', args)] }] })
  expect(request.messages.flatMap(callsOf)).toMatchObject([{ arguments: args }])
})

test('a field called __proto__ is a field like any other', () => {
  const { request } = readRequest(
    JSON.parse('{"model":"m","messages":[{"role":"user","content":"x"}],"__proto__":{"tools":1}}'),
  )
  expect(Object.keys(request.extra)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(request.extra)).toBe(Object.prototype)
})

test('a call to a tool named like a method of objects is not mistaken for a known one', () => {
  const over = { tools: [readTool], tool_choice: { type: 'function', function: { name: 'constructor' } } }
  expect(() => read(over)).toThrow('not found')
})
