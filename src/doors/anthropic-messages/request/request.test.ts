import { expect, test } from 'vitest'
import type { GatewayError } from '../../../errors.ts'
import { callsOf, inUsualOrder, type Message } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import { seal } from '../../shared/seal.ts'
import { readRequest } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

const hi = { role: 'user', content: 'hi' }
const read = (fields: Fields) =>
  readRequest({ model: 'm', max_tokens: 64, messages: [hi], ...fields }, { toolsLimit: 512 })
const requestOf = (fields: Fields): Request => read(fields).request
const messagesOf = (messages: readonly unknown[], more: Fields = {}) => requestOf({ messages, ...more }).messages
const notesOf = (fields: Fields) => (requestOf(fields).notes ?? []).map(({ kind, detail }) => `${kind}: ${detail}`)

function refusalOf(fields: Fields): Pick<GatewayError, 'code' | 'param' | 'message'> {
  try {
    readRequest(fields, { toolsLimit: 3 })
  } catch (thrown) {
    return thrown as GatewayError
  }
  throw new Error('it was taken')
}

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const tool = (name: string, more: Fields = {}) => ({ name, description: `To ${name}`, input_schema: schema, ...more })
const search = tool('ToolSearch')

const user = (content: unknown): Message => ({ role: 'user', content: content as string })
const says = (content: string, more: Fields = {}): Message => ({
  role: 'assistant',
  content: inUsualOrder({ content, ...more }),
})
const call = (id: string, json = '{"path":"a"}', name = 'read') => ({
  id,
  kind: 'function' as const,
  name,
  arguments: json,
})
const asks = (...calls: readonly ReturnType<typeof call>[]): Message => ({
  role: 'assistant',
  content: inUsualOrder({ calls }),
})
const result = (callId: string, content: string, ...introduces: readonly string[]): Message => ({
  role: 'tool',
  callId,
  content,
  ...(introduces.length > 0 && { introduces }),
})
const system = (content: string): Message => ({ role: 'system', content })

const use = (id: string, input: unknown = { path: 'a' }) => ({ type: 'tool_use', id, name: 'read', input })
const used = (...ids: readonly string[]) => ({ role: 'assistant', content: ids.map((id) => use(id)) })
const answers = (...blocks: readonly Fields[]) => ({
  role: 'user',
  content: blocks.map((block) => ('type' in block ? block : { type: 'tool_result', ...block })),
})
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const picture = { type: 'image', url: 'data:image/png;base64,AAAA' }
const text = (words: string, more: Fields = {}) => ({ type: 'text', text: words, ...more })
const cached = { cache_control: { type: 'ephemeral' } }

test.each<[string, Fields, Partial<Request>]>([
  ['the model and its limit', {}, { model: 'm', maxTokens: 64 }],
  ['how to sample', { temperature: 0.2, top_p: 0.9 }, { sampling: { temperature: 0.2, topP: 0.9 } }],
  ['where to stop', { stop_sequences: ['END', ''] }, { stop: ['END'] }],
  ['what only some services take', { top_k: 5, min_p: 0.1 }, { extra: { top_k: 5, min_p: 0.1 } }],
  [
    'what means nothing here',
    {
      context_management: {},
      safeguards: [],
      service_tier: 'auto',
      container: 'c',
      inference_geo: 'eu',
      metadata: { user_id: 'u' },
      ...cached,
    },
    { extra: {} },
  ],
  ['no thinking unless it is asked for', { output_config: { effort: 'high' } }, { reasoning: { enabled: false } }],
  ['thinking that is switched off', { thinking: { type: 'disabled' } }, { reasoning: { enabled: false } }],
  ['thinking as the model likes', { thinking: { type: 'adaptive' } }, { reasoning: { enabled: true } }],
  [
    'thinking with an effort',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    { reasoning: { enabled: true, effort: 'low' } },
  ],
  [
    'the highest effort there is',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
    { reasoning: { enabled: true, effort: 'high' } },
  ],
  [
    'a small budget',
    { thinking: { type: 'enabled', budget_tokens: 1024 } },
    { reasoning: { enabled: true, effort: 'low', budget: 1024 } },
  ],
  [
    'a middling budget',
    { thinking: { type: 'enabled', budget_tokens: 8000 } },
    { reasoning: { enabled: true, effort: 'medium', budget: 8000 } },
  ],
  [
    'a large budget',
    { thinking: { type: 'enabled', budget_tokens: 31_999 } },
    { reasoning: { enabled: true, effort: 'high', budget: 31_999 } },
  ],
  [
    'a form for the answer',
    { output_config: { format: { type: 'json_schema', schema } } },
    { responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } },
  ],
  ['a free choice', { tools: [tool('read')], tool_choice: { type: 'auto' } }, { toolChoice: { mode: 'auto' } }],
  ['a free choice of nothing', { tools: [], tool_choice: { type: 'auto' } }, { tools: [] }],
  ['any tool', { tools: [tool('read')], tool_choice: { type: 'any' } }, { toolChoice: { mode: 'required' } }],
  [
    'one tool',
    { tools: [tool('read')], tool_choice: { type: 'tool', name: 'read' } },
    { toolChoice: { mode: 'named', name: 'read' } },
  ],
  ['no tool', { tools: [tool('read')], tool_choice: { type: 'none' } }, { toolChoice: { mode: 'none' } }],
  [
    'one call at a time',
    { tools: [tool('read')], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    { parallelCalls: false },
  ],
  [
    'several calls at once',
    { tools: [tool('read')], tool_choice: { type: 'auto', disable_parallel_tool_use: false } },
    { parallelCalls: true },
  ],
  [
    'a tool',
    {
      tools: [
        {
          type: 'custom',
          ...tool('read', { strict: true, eager_input_streaming: true, input_examples: [{}], ...cached }),
        },
      ],
    },
    { tools: [{ kind: 'function', name: 'read', description: 'To read', parameters: schema, strict: true }] },
  ],
])('%s', (_, fields, expected) => {
  expect(requestOf(fields)).toMatchObject(expected)
})

test.each<[string, Fields, boolean]>([
  ['not asked for', {}, false],
  ['adaptive', { thinking: { type: 'adaptive', display: 'updates' } }, true],
  ['omitted', { thinking: { type: 'adaptive', display: 'omitted' } }, false],
  ['disabled', { thinking: { type: 'disabled' } }, false],
])('thoughts that are %s are shown: %s', (_, fields, shown) => {
  expect(read(fields).showsThoughts).toBe(shown)
})

test.each<[string, Fields, readonly string[]]>([
  ['with no search for tools', { tools: [tool('read'), tool('mcp__a', { defer_loading: true })] }, ['read', 'mcp__a']],
  ['with a search', { tools: [search, tool('mcp__a', { defer_loading: true })] }, ['ToolSearch']],
  [
    'once a result names it',
    {
      tools: [search, tool('mcp__a', { defer_loading: true }), tool('mcp__b', { defer_loading: true })],
      messages: [
        hi,
        used('t1'),
        answers({ tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'mcp__a' }] }),
      ],
    },
    ['ToolSearch', 'mcp__a'],
  ],
  [
    'that the client insists on',
    { tools: [search, tool('mcp__a', { defer_loading: true })], tool_choice: { type: 'tool', name: 'mcp__a' } },
    ['ToolSearch', 'mcp__a'],
  ],
  [
    'that instructions add',
    {
      tools: [search, tool('mcp__a', { defer_loading: true })],
      messages: [
        hi,
        { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'mcp__a' } }] },
      ],
    },
    ['ToolSearch', 'mcp__a'],
  ],
  [
    'that instructions define, beside one they withdraw',
    {
      tools: [tool('read'), tool('write')],
      messages: [
        hi,
        {
          role: 'system',
          content: [
            { type: 'tool_addition', tool: { type: 'tool_definition', definition: tool('new') } },
            { type: 'tool_removal', tool: { type: 'tool_reference', name: 'write' } },
          ],
        },
      ],
    },
    ['read', 'new'],
  ],
  [
    "that the vendor's own search has found",
    {
      tools: [search, tool('mcp__a', { defer_loading: true }), tool('mcp__b', { defer_loading: true })],
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'a' } },
            {
              type: 'tool_search_tool_result',
              tool_use_id: 's',
              content: {
                type: 'tool_search_tool_search_result',
                tool_references: [{ type: 'tool_reference', tool_name: 'mcp__a' }],
              },
            },
            text('Found.'),
          ],
        },
        hi,
      ],
    },
    ['ToolSearch', 'mcp__a'],
  ],
  [
    'that only keeps a place',
    { tools: [tool('read'), tool('DeferredToolPlaceholder', { defer_loading: true })] },
    ['read'],
  ],
  [
    "beside the vendor's own search",
    { tools: [{ type: 'tool_search_tool_regex_20251119', name: 's' }, tool('a', { defer_loading: true })] },
    ['a'],
  ],
])('a deferred tool %s', (_, fields, expected) => {
  expect(requestOf(fields).tools.map(({ name }) => name)).toEqual(expected)
})

test("a deferred tool beside the vendor's own search is left to the search of the gateway, until it is found", () => {
  const tools = [
    { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
    tool('read'),
    tool('a', { defer_loading: true }),
    tool('b', { defer_loading: true }),
  ]
  const found = {
    type: 'tool_search_tool_search_result',
    tool_references: [{ type: 'tool_reference', tool_name: 'b' }],
  }
  const told = {
    role: 'assistant',
    content: [{ type: 'tool_search_tool_result', tool_use_id: 's', content: found }, text('Ok.')],
  }
  const request = requestOf({ tools, messages: [hi, told, hi] })
  expect(request.tools.map(({ name, isDeferred = false }) => [name, isDeferred])).toEqual([
    ['read', false],
    ['a', true],
    ['b', false],
  ])
  expect(request.hosted).toBeUndefined()
})

test.each<[string, string, readonly string[]]>([
  ['bash_20250124', 'bash', ['command', 'restart']],
  ['bash_20241022', 'bash', ['command', 'restart']],
  [
    'text_editor_20250728',
    'str_replace_based_edit_tool',
    ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'insert_text', 'view_range'],
  ],
  [
    'text_editor_20250124',
    'str_replace_editor',
    ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range'],
  ],
  [
    'memory_20250818',
    'memory',
    [
      ...['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'insert_text'],
      ...['old_path', 'new_path', 'view_range'],
    ],
  ],
])('%s is taught as the tool %s', (type, name, parameters) => {
  const [offered] = requestOf({ tools: [{ type, name }] }).tools
  expect(offered).toMatchObject({ kind: 'function', name, description: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(Object.keys(Object(offered?.parameters)['properties'])).toEqual(parameters)
})

test('an editor that could undo still can', () => {
  const commandsOf = (type: string) => JSON.stringify(requestOf({ tools: [{ type }] }).tools)
  expect(commandsOf('text_editor_20250124')).toContain('undo_edit')
  expect(commandsOf('text_editor_20250728')).not.toContain('undo_edit')
})

test('examples of good arguments go with their tool', () => {
  const examples = [{ path: 'a.ts' }]
  expect(requestOf({ tools: [tool('read', { input_examples: examples })] }).tools).toMatchObject([{ examples }])
  expect(requestOf({ tools: [tool('read', { input_examples: [] })] }).tools[0]).not.toHaveProperty('examples')
})

test("the vendor's tools beside others are told apart", () => {
  const fields = {
    tools: [tool('read'), { type: 'web_search_20250305', name: 'web_search' }, { type: 'novelty_2030', name: 'n' }],
  }
  expect(requestOf(fields).tools).toHaveLength(1)
  expect(requestOf(fields).hosted).toEqual(['web_search', 'n'].map((name) => ({ kind: 'hosted', name })))
})

test('a tool of an unknown kind is left out, also where it is the only one', () => {
  expect(requestOf({ tools: [{ type: 'novelty_2030', name: 'n' }] }).tools).toEqual([])
})

test('a name that is too long goes to the service in short, everywhere, and back', () => {
  const name = `mcp__${'long'.repeat(20)}`
  const { request, names } = read({
    tools: [tool(name)],
    tool_choice: { type: 'tool', name },
    messages: [hi, { role: 'assistant', content: [{ ...use('t1'), name }] }, answers({ tool_use_id: 't1' })],
  })
  const [offered] = request.tools
  expect(offered?.name).toMatch(/^mcp__[a-z]{50}_[0-9a-f]{8}$/)
  expect(request.toolChoice).toEqual({ mode: 'named', name: offered?.name })
  expect(callsOf(request.messages[1] ?? user(''))).toMatchObject([{ name: offered?.name }])
  expect(names.toOuter(offered?.name ?? '')).toBe(name)
})

test.each<[string, readonly unknown[], readonly Message[], Fields?]>([
  ['a string', [hi], [user('hi')]],
  [
    'blocks of text are one string',
    [{ role: 'user', content: [text('One.', cached), text(''), text('Two.')] }],
    [user('One.\n\nTwo.')],
  ],
  [
    'a message says the same as blocks and as a string',
    [{ role: 'user', content: [text('hi', cached)] }],
    [user('hi')],
  ],
  ['an image', [{ role: 'user', content: [text('See'), png] }], [user([text('See'), picture])]],
  [
    'the address of an image',
    [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'http://x/y.png' } }] }],
    [user([{ type: 'image', url: 'http://x/y.png' }])],
  ],
  [
    'a document of text',
    [{ role: 'user', content: [{ type: 'document', source: { type: 'text', data: 'Plain.' } }] }],
    [user('Plain.')],
  ],
  [
    'a PDF',
    [
      {
        role: 'user',
        content: [
          { type: 'document', title: 'd', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
        ],
      },
    ],
    [
      user([
        {
          type: 'other',
          value: { type: 'file', file: { filename: 'd', file_data: 'data:application/pdf;base64,AAAA' } },
        },
      ]),
    ],
  ],
  [
    'a document elsewhere',
    [{ role: 'user', content: [{ type: 'document', title: 'd', source: { type: 'file', file_id: 'f' } }] }],
    [user('[document omitted: d]')],
  ],
  [
    'an image elsewhere',
    [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }],
    [user('[image omitted]')],
  ],
  [
    "what the vendor's tools left",
    [{ role: 'assistant', content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } }] }],
    [says('[server_tool_use web_search {"query":"q"}]')],
  ],
  ['instructions', [hi], [system('Be brief.'), user('hi')], { system: 'Be brief.' }],
  [
    'instructions in blocks, without the line for the bill',
    [hi],
    [system('One.\n\nTwo.'), user('hi')],
    {
      system: [
        text('x-anthropic-billing-header: cc_version=2.1.325.9ba; cc_entrypoint=cli;'),
        text('One.', cached),
        text('Two.'),
      ],
    },
  ],
  [
    'instructions before the first words are one',
    [{ role: 'system', content: 'Two.' }, hi],
    [system('One.\n\nTwo.'), user('hi')],
    { system: 'One.' },
  ],
  [
    'instructions later stay where they are',
    [hi, { role: 'system', content: [text('Later.')] }],
    [user('hi'), system('Later.')],
  ],
  [
    'thoughts are kept apart from words',
    [
      hi,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'x' },
          text('Hi.'),
        ],
      },
      hi,
    ],
    [user('hi'), says('Hi.', { reasoning: 'Hm.' }), user('hi')],
  ],
  [
    'what a service wants back comes out of our signatures',
    [
      hi,
      {
        role: 'assistant',
        content: [
          {
            type: 'thinking',
            thinking: 'Hm.',
            signature: seal({ thoughts: '', message: { reasoning_opaque: 'x', model: 'no' } }),
          },
          text('Hi.'),
        ],
      },
    ],
    [user('hi'), says('Hi.', { reasoning: 'Hm.', metadata: { reasoning_opaque: 'x' } })],
  ],
  [
    'thoughts alone are no message',
    [hi, { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }] }, hi],
    [user('hi'), user('hi')],
  ],
  [
    'a call and its result',
    [hi, used('t1'), answers({ tool_use_id: 't1', content: 'done' })],
    [user('hi'), asks(call('t1')), result('t1', 'done')],
  ],
  [
    'a result without content',
    [hi, used('t1'), answers({ tool_use_id: 't1' })],
    [user('hi'), asks(call('t1')), result('t1', '')],
  ],
  [
    'a result that failed',
    [
      hi,
      used('t1', 't2', 't3'),
      answers(
        { tool_use_id: 't1', content: 'Exit code 2', is_error: true },
        { tool_use_id: 't2', content: '<tool_use_error>Bad', is_error: true },
        { tool_use_id: 't3', is_error: true },
      ),
    ],
    [
      user('hi'),
      asks(call('t1'), call('t2'), call('t3')),
      result('t1', 'Error: Exit code 2'),
      result('t2', '<tool_use_error>Bad'),
      result('t3', 'Error: the tool failed and gave no reason.'),
    ],
  ],
  [
    'results come before the words beside them, in any order',
    [
      hi,
      used('t1', 't2'),
      answers(
        text('Go on.'),
        { tool_use_id: 't2', content: 'two' },
        { tool_use_id: 't1', content: [text('o'), text('ne')] },
      ),
    ],
    [user('hi'), asks(call('t1'), call('t2')), result('t2', 'two'), result('t1', 'o\nne'), user('Go on.')],
  ],
  [
    'images of results are shown after them',
    [
      hi,
      used('t1', 't2'),
      answers(
        { tool_use_id: 't1', content: [text('here'), png] },
        { tool_use_id: 't2', content: [png] },
        text('Go on.'),
      ),
    ],
    [
      user('hi'),
      asks(call('t1'), call('t2')),
      result('t1', 'here'),
      result('t2', '(see the next message)'),
      user([picture, picture, text('Go on.')]),
    ],
  ],
  [
    'tools that were found',
    [
      hi,
      used('t1'),
      answers({
        tool_use_id: 't1',
        content: [
          { type: 'tool_reference', tool_name: 'a' },
          { type: 'tool_reference', tool_name: 'b' },
        ],
      }),
    ],
    [user('hi'), asks(call('t1')), result('t1', 'Tool a is now available.\nTool b is now available.', 'a', 'b')],
  ],
  [
    'input that could not be parsed there, and can here',
    [
      hi,
      { role: 'assistant', content: [use('t1', { __unparsedToolInput: { raw: '{"a":1}', len: 7 } })] },
      answers({ tool_use_id: 't1' }),
    ],
    [user('hi'), asks(call('t1', '{"a":1}')), result('t1', '')],
  ],
  [
    'input that cannot be parsed anywhere',
    [
      hi,
      { role: 'assistant', content: [use('t1', { __unparsedToolInput: { raw: '{"a', len: 3 } })] },
      answers({ tool_use_id: 't1' }),
    ],
    [user('hi'), asks(call('t1', '{"__unparsedToolInput":{"raw":"{\\"a","len":3}}')), result('t1', '')],
  ],
  ['an answer begun for the model', [hi, { role: 'assistant', content: '{"a":' }], [user('hi'), says('{"a":')]],
  [
    'one answer in two messages',
    [hi, { role: 'assistant', content: 'One.' }, used('t1'), answers({ tool_use_id: 't1' })],
    [
      user('hi'),
      { role: 'assistant', content: inUsualOrder({ content: 'One.', calls: [call('t1')] }) },
      result('t1', ''),
    ],
  ],
  [
    'instructions between a call and its result',
    [hi, used('t1'), { role: 'system', content: 'Now.' }, answers({ tool_use_id: 't1' })],
    [user('hi'), asks(call('t1')), result('t1', ''), system('Now.')],
  ],
])('%s', (_, messages, expected, more = {}) => {
  expect(messagesOf(messages, more)).toEqual(expected)
})

test.each<[string, readonly unknown[], readonly Message[], string]>([
  [
    'a result of no call',
    [hi, answers({ tool_use_id: 'gone', content: 'late' })],
    [user('hi'), user('Result of an earlier tool call:\nlate')],
    'unknown_tool_call_id',
  ],
  [
    'a call without a result',
    [hi, used('t1'), hi],
    [user('hi'), asks(call('t1')), result('t1', '(no result: the call was not carried out)'), user('hi')],
    'unanswered_tool_call',
  ],
  [
    'a call at the end',
    [hi, used('t1')],
    [user('hi'), asks(call('t1')), result('t1', '(no result: the call was not carried out)')],
    'unanswered_tool_call',
  ],
  [
    'one of two results',
    [hi, used('t1', 't2'), answers({ tool_use_id: 't2', content: 'b' })],
    [
      user('hi'),
      asks(call('t1'), call('t2')),
      result('t1', '(no result: the call was not carried out)'),
      result('t2', 'b'),
    ],
    'unanswered_tool_call',
  ],
  [
    'the same id twice',
    [hi, used('t1', 't1'), answers({ tool_use_id: 't1', content: 'a' }), hi],
    [
      user('hi'),
      asks(call('t1'), call('t1_2')),
      result('t1', 'a'),
      result('t1_2', '(no result: the call was not carried out)'),
      user('hi'),
    ],
    'duplicate_tool_call_id',
  ],
])('a conversation with %s is healed, and that is noted', (_, messages, expected, fault) => {
  expect(messagesOf(messages)).toEqual(expected)
  expect(notesOf({ messages })).toEqual([`history_healed: ${fault}`])
})

test('a sound conversation is not noted', () => {
  expect(notesOf({ messages: [hi, used('t1'), answers({ tool_use_id: 't1' }), hi] })).toEqual([])
})

test('a conversation that goes on begins as it began, wherever its marks for the cache stand', () => {
  const turn = (n: number): readonly unknown[] => [used(`t${n}`), answers({ tool_use_id: `t${n}`, content: `${n}` })]
  const bill = (n: number) => [
    text(`x-anthropic-billing-header: cc_version=2.1.${n};`),
    text('Be brief.', n % 2 === 0 ? cached : {}),
  ]
  const first = messagesOf(
    [{ role: 'user', content: [text('hi', cached)] }, { role: 'system', content: [text('Env.', cached)] }, ...turn(1)],
    { system: bill(1) },
  )
  const second = messagesOf([hi, { role: 'system', content: 'Env.' }, ...turn(1), ...turn(2)], { system: bill(2) })
  expect(second.slice(0, first.length)).toEqual(first)
})

test('the session is found in the id of the user', () => {
  expect(read({ metadata: { user_id: '{"device_id":"d","session_id":"s-1"}' } }).session).toBe('s-1')
  expect(read({ metadata: { user_id: 'somebody' } }).session).toBeUndefined()
})

const sound = { model: 'm', max_tokens: 64, messages: [hi] }

test.each<[string, Fields, string | null, string]>([
  ['no model', { ...sound, model: undefined }, 'model', 'model'],
  ['no limit', { ...sound, max_tokens: undefined }, 'max_tokens', 'max_tokens'],
  ['a limit of nothing', { ...sound, max_tokens: 0 }, 'max_tokens', 'below minimum'],
  ['no messages', { ...sound, messages: [] }, 'messages', 'At least one message'],
  ['messages that are none', { ...sound, messages: 'hi' }, 'messages', 'an array'],
  ['an unknown role', { ...sound, messages: [{ role: 'robot', content: 'hi' }] }, 'messages[0].role', 'robot'],
  [
    'a content that is none',
    { ...sound, messages: [{ role: 'user', content: { a: 1 } }] },
    'messages[0].content',
    'array of blocks',
  ],
  ['a temperature out of range', { ...sound, temperature: 3 }, 'temperature', 'above maximum'],
  ['a tool without a name', { ...sound, tools: [{ input_schema: schema }] }, 'tools[0].name', 'name'],
  ['two tools of one name', { ...sound, tools: [tool('a'), tool('a')] }, 'tools[1].name', 'unique'],
  ['too many tools', { ...sound, tools: ['a', 'b', 'c', 'd'].map((name) => tool(name)) }, 'tools', 'too long'],
  [
    'a schema that is none',
    { ...sound, tools: [{ name: 'a', input_schema: { type: 'string' } }] },
    'tools[0].input_schema',
    'object',
  ],
  [
    "the vendor's own form of a tool",
    {
      ...sound,
      tools: [
        { type: 'web_search_20250305', name: 'w' },
        { type: 'computer_20250124', name: 'computer' },
      ],
    },
    'tools[1]',
    "The tool 'computer'",
  ],
  [
    'nothing but tools of the vendor',
    { ...sound, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    'tools',
    'server tool web_search is not available here',
  ],
  [
    'nothing but servers for the vendor',
    { ...sound, mcp_servers: [{ url: 'http://x' }] },
    'mcp_servers',
    'server tool mcp_servers is not available here',
  ],
  [
    'a choice of a tool of the vendor',
    {
      ...sound,
      tools: [tool('a'), { type: 'web_search_20250305', name: 'w' }],
      tool_choice: { type: 'tool', name: 'w' },
    },
    'tool_choice.name',
    'server tool w',
  ],
  [
    'a choice that is not there',
    { ...sound, tools: [tool('a')], tool_choice: { type: 'tool', name: 'b' } },
    'tool_choice.name',
    "'b' not found",
  ],
  ['a demand without tools', { ...sound, tool_choice: { type: 'any' } }, 'tool_choice', "'tools' are given"],
])('refused is %s', (_, body, param, words) => {
  const refusal = refusalOf(body)
  expect(refusal.param).toBe(param)
  expect(refusal.message).toContain(words)
})

test('all that is wrong is told at once', () => {
  expect(refusalOf({}).message).toMatch(/model.*messages.*max_tokens/)
})
