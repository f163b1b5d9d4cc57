import { describe, expect, test } from 'vitest'
import { createDoorContext, createTestStore } from '../../../../test/doors/visit.ts'
import type { Call } from '../../../protocol/call.ts'
import { inUsualOrder, type Message } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Store } from '../../door.ts'
import { seal } from '../../shared/seal.ts'
import { readRequest } from './request.ts'

async function read(body: object, store: Store = createTestStore()): Promise<Request> {
  const models = async () => [{ id: 'm', ownedBy: 'x', tools: 'auto' as const, contextLength: 1000 }]
  const { request } = await readRequest({ model: 'm', input: 'Go.', ...body }, createDoorContext({ store, models }))
  return request
}

const messagesOf = async (input: unknown, more: object = {}): Promise<readonly Message[]> =>
  (await read({ input, ...more })).messages

const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
}
const server = {
  type: 'namespace',
  name: 'mcp__srv',
  description: 'A server.',
  tools: [
    { ...look, name: 'create', description: 'Creates.' },
    { ...patch, name: 'edit' },
  ],
}
const call = (id: string, name = 'look', more: object = {}) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: '{"a":1}',
  status: 'completed',
  ...more,
})
const output = (id: string, text: unknown = 'ok') => ({ type: 'function_call_output', call_id: id, output: text })
const called = (id: string, name = 'look', json = '{"a":1}') => ({
  id,
  kind: 'function' as const,
  name,
  arguments: json,
})
const asked = (...calls: readonly Call[]) => ({ role: 'assistant', content: inUsualOrder({ calls }) })
const result = (callId: string, content = 'ok') => ({ role: 'tool', callId, content })
const user = (content: unknown = 'Go.') => ({ role: 'user', content })
const picture = { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'high' }

const conversations: readonly (readonly [name: string, input: unknown, messages: readonly object[]])[] = [
  ['a text', 'Hi.', [user('Hi.')]],
  ['a message without its type', [{ role: 'user', content: 'Hi.' }], [user('Hi.')]],
  [
    'parts that are all words are one text; ids, states and phases are nothing',
    [
      {
        type: 'message',
        id: 'msg_1',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [
          { type: 'output_text', text: 'c', annotations: [], logprobs: [] },
          { type: 'refusal', refusal: 'd' },
        ],
      },
      { role: 'user', content: 'e' },
    ],
    [user('a\nb'), { role: 'assistant', content: 'c\nd' }, user('e')],
  ],
  [
    'what is told before the user speaks is one message, what is told later stays',
    [
      { role: 'developer', content: [{ type: 'input_text', text: 'One.' }] },
      { role: 'system', content: 'Two.' },
      { role: 'user', content: 'Go.' },
      { role: 'developer', content: 'Three.' },
    ],
    [{ role: 'system', content: 'One.\n\nTwo.' }, user(), { role: 'system', content: 'Three.' }],
  ],
  [
    'an image, by address or data',
    [{ role: 'user', content: [{ type: 'input_text', text: 'See' }, picture] }],
    [
      user([
        { type: 'text', text: 'See' },
        { type: 'image', url: 'data:image/png;base64,AA==', detail: 'high' },
      ]),
    ],
  ],
  [
    'a file goes on as services take it, one that is elsewhere is a line',
    [
      {
        role: 'user',
        content: [
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          { type: 'input_file', file_url: 'http://x/b.pdf' },
          { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        ],
      },
    ],
    [
      user([
        {
          type: 'other',
          value: { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
        },
        { type: 'text', text: '[file omitted: http://x/b.pdf]' },
        { type: 'other', value: { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } } },
      ]),
    ],
  ],
  [
    'thoughts, words and calls of one turn are one message',
    [
      { role: 'user', content: 'Go.' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        content: null,
        encrypted_content: null,
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
      call('a'),
      call('b'),
      output('a'),
      output('b'),
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Raw.' }] },
      call('c'),
      output('c'),
    ],
    [
      user(),
      {
        role: 'assistant',
        content: inUsualOrder({ content: 'Look.', reasoning: 'Hm.', calls: [called('a'), called('b')] }),
      },
      result('a'),
      result('b'),
      { role: 'assistant', content: inUsualOrder({ reasoning: 'Raw.', calls: [called('c')] }) },
      result('c'),
    ],
  ],
  [
    'our own sealed copy of a thought counts more than what is shown, a foreign one says nothing',
    [
      { role: 'user', content: 'Go.' },
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'short' }],
        encrypted_content: seal({ thoughts: 'The long way.' }),
      },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'theirs' }], encrypted_content: 'RU5D' },
      call('a'),
      output('a'),
    ],
    [
      user(),
      {
        role: 'assistant',
        content: [
          { type: 'thought', text: 'The long way.' },
          { type: 'thought', text: 'theirs' },
          { type: 'call', call: called('a') },
        ],
      },
      result('a'),
    ],
  ],
  [
    'thoughts that led to nothing are left out',
    [
      { role: 'user', content: 'Go.' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] },
    ],
    [user()],
  ],
  [
    'a result in parts; its pictures follow the last result',
    [
      { role: 'user', content: 'Go.' },
      call('a'),
      call('b'),
      output('a', [{ type: 'input_text', text: 'one' }, picture]),
      output('b', [{ type: 'input_text', text: 'two' }]),
      { role: 'user', content: 'And?' },
    ],
    [
      user(),
      asked(called('a'), called('b')),
      result('a', 'one\n(image: see below)'),
      result('b', 'two'),
      user([
        { type: 'text', text: 'Images from the tool results:' },
        { type: 'image', url: 'data:image/png;base64,AA==', detail: 'high' },
      ]),
      user('And?'),
    ],
  ],
  [
    'a custom call keeps its text',
    [
      { role: 'user', content: 'Go.' },
      { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** "x"\n' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'done' },
    ],
    [user(), asked({ ...called('a', 'apply_patch', '*** "x"\n'), kind: 'custom' }), result('a', 'done')],
  ],
  [
    'a call of a namespace has one name, also when the namespace is gone',
    [{ role: 'user', content: 'Go.' }, call('a', 'create', { namespace: 'mcp__old' }), output('a')],
    [user(), asked(called('a', 'mcp__old__create')), result('a')],
  ],
  [
    'arguments as an object',
    [{ role: 'user', content: 'Go.' }, call('a', 'look', { arguments: { a: 1 } }), output('a')],
    [user(), asked(called('a')), result('a')],
  ],
  [
    'what a search found is named',
    [
      { role: 'user', content: 'Go.' },
      { type: 'tool_search_call', call_id: 'a', execution: 'client', arguments: { query: 'x' } },
      { type: 'tool_search_output', call_id: 'a', execution: 'client', tools: [server] },
    ],
    [
      user(),
      asked(called('a', 'tool_search', '{"query":"x"}')),
      {
        ...result('a', 'Found, and can be called now: mcp__srv__create, mcp__srv__edit'),
        introduces: ['mcp__srv__create', 'mcp__srv__edit'],
      },
    ],
  ],
  [
    'what only others can run or read is left out',
    [
      { role: 'user', content: 'Go.' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'compaction', encrypted_content: 'abc' },
      { type: 'local_shell_call', call_id: 'l' },
      { type: 'local_shell_call_output', output: 'x' },
      { type: 'item_from_the_future' },
    ],
    [user()],
  ],
  [
    'what is told between a call and its result is told after it',
    [{ role: 'user', content: 'Go.' }, call('a'), { role: 'developer', content: 'Mind.' }, output('a')],
    [user(), asked(called('a')), result('a'), { role: 'system', content: 'Mind.' }],
  ],
  [
    'healed: a result without its call is the user’s',
    [{ role: 'user', content: 'Go.' }, output('gone', 'what')],
    [user(), user('Result of an earlier tool call:\nwhat')],
  ],
  [
    'healed: a call that was not answered',
    [{ role: 'user', content: 'Go.' }, call('a'), { role: 'user', content: 'Stop.' }],
    [user(), asked(called('a')), result('a', '(no result: the call was not carried out)'), user('Stop.')],
  ],
  [
    'healed: a call that was not answered, at the very end',
    [{ role: 'user', content: 'Go.' }, call('a'), call('b'), output('b')],
    [user(), asked(called('a'), called('b')), result('a', '(no result: the call was not carried out)'), result('b')],
  ],
  [
    'healed: arguments that are no JSON',
    [{ role: 'user', content: 'Go.' }, call('a', 'look', { arguments: '{"a":' }), output('a')],
    [user(), asked(called('a', 'look', '{"arguments":"{\\"a\\":"}')), result('a')],
  ],
]

describe('a conversation', () => {
  test.each(conversations)('%s', async (_name, input, messages) => {
    expect(await messagesOf(input, { tools: [look, patch] })).toEqual(messages)
  })

  test('instructions come first', async () => {
    const input = [
      { role: 'developer', content: 'More.' },
      { role: 'user', content: 'Go.' },
    ]
    expect((await messagesOf(input, { instructions: 'First.' }))[0]).toEqual({
      role: 'system',
      content: 'First.\n\nMore.',
    })
  })

  test('what is left out or healed is told', async () => {
    const { hosted, notes } = await read({
      input: [
        { role: 'user', content: 'Go.' },
        { type: 'compaction', encrypted_content: 'x' },
        { type: 'web_search_call' },
        output('gone'),
      ],
      tools: [{ type: 'web_search' }, { type: 'mcp', server_label: 's' }],
      truncation: 'auto',
    })
    expect(hosted).toEqual(['web_search', 'mcp'].map((name) => ({ kind: 'hosted', name })))
    expect(notes).toEqual([
      { type: 'note', kind: 'item_dropped', detail: 'compaction, web_search_call' },
      { type: 'note', kind: 'history_healed', detail: 'unknown_tool_call_id' },
      { type: 'note', kind: 'field_dropped', detail: 'truncation' },
    ])
  })
})

describe('tools', () => {
  test('every kind becomes a tool with a name of its own', async () => {
    const { tools } = await read({ tools: [{ ...look, strict: true, description: 'Looks.' }, patch, server] })
    expect(tools).toMatchObject([
      { kind: 'function', name: 'look', strict: true, description: 'Looks.' },
      {
        kind: 'custom',
        name: 'apply_patch',
        description: 'Edits files.',
        format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } },
      },
      { kind: 'function', name: 'mcp__srv__create', description: 'A server.\n\nCreates.' },
      { kind: 'custom', name: 'mcp__srv__edit', description: 'A server.\n\nEdits files.' },
    ])
  })

  test('those that stand in the conversation are offered, too, each once', async () => {
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [{ ...server, name: 'functions', description: '' }] },
      { role: 'user', content: 'Go.' },
      { type: 'tool_search_call', call_id: 'a', arguments: {} },
      { type: 'tool_search_output', call_id: 'a', tools: [server] },
      { type: 'tool_search_call', call_id: 'b', arguments: {} },
      { type: 'tool_search_output', call_id: 'b', tools: [server] },
    ]
    const { tools } = await read({ input, tools: [look] })
    expect(tools.map(({ name }) => name)).toEqual(['look', 'create', 'edit', 'mcp__srv__create', 'mcp__srv__edit'])
  })

  test('names that are too long, odd or taken are cut, and stay different', async () => {
    const long = 'x'.repeat(60)
    const { tools } = await read({
      tools: [
        { ...look, name: 'a__b' },
        { type: 'namespace', name: 'a', tools: [{ ...look, name: 'b' }] },
        {
          type: 'namespace',
          name: 'mcp__server',
          tools: [
            { ...look, name: long },
            { ...look, name: `${long}y` },
          ],
        },
        { ...look, name: 'dotted.name' },
      ],
    })
    const names = tools.map(({ name }) => name)
    expect(new Set(names).size).toBe(5)
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true)
    expect(names[0]).toBe('a__b')
  })

  test.each([
    ['auto', 'auto', { mode: 'auto' }],
    ['none', 'none', { mode: 'none' }],
    ['required', 'required', { mode: 'required' }],
    ['a function', { type: 'function', name: 'look' }, { mode: 'named', name: 'look' }],
    ['a custom tool', { type: 'custom', name: 'apply_patch' }, { mode: 'named', name: 'apply_patch' }],
    [
      'one of a namespace',
      { type: 'function', name: 'create', namespace: 'mcp__srv' },
      { mode: 'named', name: 'mcp__srv__create' },
    ],
  ])('choosing %s', async (_name, choice, expected) => {
    const { toolChoice, tools } = await read({ tools: [look, patch, server], tool_choice: choice })
    expect(toolChoice).toEqual(expected)
    expect(tools).toHaveLength(4)
  })

  test('of allowed tools only those are offered, and hosted ones are left out', async () => {
    const allowed = {
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'web_search' }, { type: 'custom', name: 'apply_patch' }],
    }
    const request = await read({ tools: [look, patch, { type: 'web_search' }], tool_choice: allowed })
    expect(request.tools.map(({ name }) => name)).toEqual(['apply_patch'])
    expect(request.toolChoice).toEqual({ mode: 'required' })
    expect(request.hosted).toEqual([{ kind: 'hosted', name: 'web_search' }])
  })

  test('no tools with a choice, as Codex compacts, is no tools', async () => {
    const request = await read({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })
    expect(request).toMatchObject({ tools: [], parallelCalls: false })
    expect(request).not.toHaveProperty('toolChoice')
  })
})

describe('fields', () => {
  test.each([
    [{ temperature: 0.2, top_p: 0.9 }, { sampling: { temperature: 0.2, topP: 0.9 } }],
    [{ top_logprobs: 2 }, { sampling: { logprobs: true, topLogprobs: 2 } }],
    [{ include: ['message.output_text.logprobs'] }, { sampling: { logprobs: true } }],
    [{ max_output_tokens: 100 }, { maxTokens: 100 }],
    [{ max_output_tokens: 9999 }, { maxTokens: 1000 }],
    [
      { user: 'u', parallel_tool_calls: true },
      { user: 'u', parallelCalls: true },
    ],
    [{ reasoning: { effort: 'none' } }, { reasoning: { enabled: false } }],
    [{ reasoning: { effort: 'minimal', summary: 'auto' } }, { reasoning: { effort: 'low' } }],
    [{ reasoning: { effort: 'medium' } }, { reasoning: { effort: 'medium' } }],
    [{ reasoning: { effort: 'xhigh' } }, { reasoning: { effort: 'high' } }],
    [{ text: { format: { type: 'json_object' } } }, { responseFormat: { type: 'json_object' } }],
    [
      {
        text: {
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
          verbosity: 'low',
        },
      },
      {
        responseFormat: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
        extra: { verbosity: 'low' },
      },
    ],
    [{ prompt_cache_key: 'k', service_tier: 'auto' }, { extra: { prompt_cache_key: 'k', service_tier: 'auto' } }],
    [
      { metadata: { a: 'b' }, client_metadata: {}, stop: ['x'], max_tool_calls: 3, background: false, prompt: null },
      { extra: {} },
    ],
  ])('%j', async (body, expected) => {
    expect(await read(body)).toMatchObject(expected)
  })
})

const schema = { ...look, parameters: { type: 'array' } }
const refused: readonly (readonly [body: object, code: string, param: string])[] = [
  [{ model: undefined }, 'missing_required_parameter', 'model'],
  [{ input: undefined }, 'missing_required_parameter', 'input'],
  [{ input: '' }, 'missing_required_parameter', 'input'],
  [{ input: [] }, 'missing_required_parameter', 'input'],
  [{ input: 7 }, 'invalid_type', 'input'],
  [{ input: ['x'] }, 'invalid_type', 'input[0]'],
  [{ input: [{ role: 'wizard', content: 'x' }] }, 'invalid_value', 'input[0].role'],
  [{ input: [{ role: 'user', content: 7 }] }, 'invalid_type', 'input[0].content'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_text' }] }] },
    'missing_required_parameter',
    'input[0].content[0].text',
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
    'unsupported_content',
    'input[0].content[0].file_id',
  ],
  [{ background: true }, 'unsupported_parameter', 'background'],
  [{ conversation: 'conv_1' }, 'unsupported_parameter', 'conversation'],
  [{ prompt: { id: 'p' } }, 'unsupported_parameter', 'prompt'],
  [{ tools: {} }, 'invalid_type', 'tools'],
  [{ tools: [{ type: 'function' }] }, 'missing_required_parameter', 'tools[0].name'],
  [{ tools: [schema] }, 'invalid_function_parameters', 'tools[0].parameters'],
  [{ tools: [look], tool_choice: { type: 'function', name: 'x' } }, 'unknown_tool', 'tool_choice'],
  [{ tools: [look], tool_choice: { type: 'web_search' } }, 'unsupported_tool_choice', 'tool_choice.type'],
  [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'unsupported_tool_choice', 'tool_choice'],
  [{ tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
  [{ tools: [look], tool_choice: 'perhaps' }, 'invalid_value', 'tool_choice'],
  [{ temperature: 3 }, 'invalid_value', 'temperature'],
  [{ max_output_tokens: 0 }, 'invalid_value', 'max_output_tokens'],
  [{ stream: 'yes' }, 'invalid_type', 'stream'],
  [{ text: { format: { type: 'xml' } } }, 'invalid_value', 'text.format.type'],
  [{ text: { format: { type: 'json_schema' } } }, 'missing_required_parameter', 'text.format.name'],
  [{ previous_response_id: 'resp_x' }, 'previous_response_not_found', 'previous_response_id'],
  [{ input: [{ type: 'item_reference', id: 'msg_x' }] }, 'item_not_found', 'input[0].id'],
]

test.each(refused)('%j is refused', async (body, code, param) => {
  await expect(read(body)).rejects.toMatchObject({ code, param })
})

test.each<[string, object, readonly (readonly [string, boolean])[]]>([
  [
    'the service is to search',
    { execution: 'server' },
    [
      ['look', false],
      ['mcp__srv__create', true],
    ],
  ],
  [
    'nothing is said, and tools are deferred',
    {},
    [
      ['look', false],
      ['mcp__srv__create', true],
    ],
  ],
  [
    'the client searches',
    { execution: 'client' },
    [
      ['look', false],
      ['mcp__srv__create', false],
      ['tool_search', false],
    ],
  ],
])('deferred tools where %s', async (_, search, expected) => {
  const deferred = { ...server, tools: [{ ...look, name: 'create', defer_loading: true }] }
  const { tools, hosted } = await read({ tools: [look, deferred, { type: 'tool_search', ...search }] })
  expect(tools.map(({ name, isDeferred = false }) => [name, isDeferred])).toEqual(expected)
  expect(hosted ?? []).toEqual([])
})
