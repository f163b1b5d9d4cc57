import { describe, expect, test } from 'vitest'
import { readAt } from '../../../../test/doors/visit.ts'
import { callsOf, inUsualOrder, type Message } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { DoorContext } from '../../door.ts'
import { ollama } from '../door.ts'

async function read(fields: object, path = '/api/chat', given: Partial<DoorContext> = {}): Promise<Request> {
  const { requests } = await readAt(ollama, path, { model: 'm', ...fields }, given)
  const [request] = requests
  if (request === undefined) throw new Error('nothing is asked')
  return request
}

const hi = [{ role: 'user', content: 'Hi' }]
const weather = { name: 'get_weather', description: 'Weather', parameters: { type: 'object', properties: {} } }

describe('fields of a chat', () => {
  test.each<[string, object, Partial<Request>]>([
    [
      'nothing more',
      {},
      { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [], sampling: {}, extra: {} },
    ],
    [
      'options',
      {
        options: {
          ...{ temperature: 5, top_p: 0.9, seed: 1, presence_penalty: 1, frequency_penalty: 2 },
          ...{ top_k: 5, min_p: 0.05, repeat_penalty: 1.1, typical_p: 0.7, num_ctx: 8192, num_gpu: 1, mirostat: 2 },
        },
      },
      {
        sampling: { temperature: 5, topP: 0.9, seed: 1, presencePenalty: 1, frequencyPenalty: 2 },
        extra: { top_k: 5, min_p: 0.05, repeat_penalty: 1.1, typical_p: 0.7, num_ctx: 8192 },
      },
    ],
    ['a limit and stops', { options: { num_predict: 50, stop: ['X', 'Y'] } }, { maxTokens: 50, stop: ['X', 'Y'] }],
    ['one stop', { options: { stop: 'X' } }, { stop: ['X'] }],
    ['JSON', { format: 'json' }, { responseFormat: { type: 'json_object' } }],
    [
      'a schema',
      { format: { type: 'object' } },
      {
        responseFormat: {
          type: 'json_schema',
          json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
        },
      },
    ],
    ['thinking', { think: true }, { reasoning: { enabled: true } }],
    ['no thinking', { think: false }, { reasoning: { enabled: false } }],
    ['a little thinking', { think: 'low' }, { reasoning: { enabled: true, effort: 'low' } }],
    ['the most thinking', { think: 'max' }, { reasoning: { enabled: true, effort: 'high' } }],
    ['logprobs', { logprobs: true, top_logprobs: 2 }, { sampling: { logprobs: true, topLogprobs: 2 } }],
    ['how long to keep it', { keep_alive: '5m' }, { extra: { keep_alive: '5m' } }],
    ['a tool', { tools: [{ type: 'function', function: weather }] }, { tools: [{ kind: 'function', ...weather }] }],
    [
      'a tool whose parameters have no type',
      { tools: [{ type: 'function', function: { name: 'a', parameters: { properties: {} } } }] },
      { tools: [{ kind: 'function', name: 'a', parameters: { properties: {}, type: 'object' } }] },
    ],
    [
      'choices of a tool, which others know',
      {
        tools: [{ type: 'function', function: weather }],
        tool_choice: { type: 'function', function: { name: 'get_weather' } },
        parallel_tool_calls: false,
      },
      { toolChoice: { mode: 'named', name: 'get_weather' }, parallelCalls: false },
    ],
    ['a choice without tools', { tool_choice: 'required' }, { tools: [] }],
    ['unknown fields', { truncate: true, shift: false, _debug: 1, new_field: {} }, { extra: {} }],
  ])('%s', async (_, fields, expected) => {
    expect(await read({ messages: hi, ...fields })).toMatchObject(expected)
  })

  test.each<[string, object, string]>([
    ['no limit', { options: { num_predict: -1 } }, 'maxTokens'],
    ['no limit but the context', { options: { num_predict: -2 } }, 'maxTokens'],
    ['no format', { format: '' }, 'responseFormat'],
    ['no word about thinking', { think: null }, 'reasoning'],
    ['no stops', { options: { stop: [] } }, 'stop'],
  ])('%s is nothing', async (_, fields, name) => {
    expect(await read({ messages: hi, ...fields })).not.toHaveProperty(name)
  })

  test('an answer is streamed unless the client wants it whole', async () => {
    expect(await readAt(ollama, '/api/chat', { model: 'm', messages: hi })).toMatchObject({ streaming: true })
    const whole = await readAt(ollama, '/api/chat', { model: 'm', messages: hi, stream: false })
    expect(whole).toMatchObject({ streaming: false, reportsUsage: true, model: 'm' })
  })
})

describe('messages', () => {
  const call = (name: string, given: unknown, more: object = {}) => ({ function: { name, arguments: given }, ...more })
  const asked = (...calls: readonly unknown[]) => ({ role: 'assistant', content: '', tool_calls: calls })
  const made = (id: string, name: string, given: string) => ({ id, kind: 'function' as const, name, arguments: given })
  const user = { role: 'user', content: 'Hi' }

  test.each<[string, readonly object[], readonly object[]]>([
    [
      'roles in any case, and of other protocols',
      [
        { role: 'SYSTEM', content: 's' },
        { role: 'User', content: 'Hi' },
        { role: 'ipython', content: 'x' },
      ],
      [{ role: 'system', content: 's' }, user, { role: 'user', content: 'x' }],
    ],
    [
      'instructions before the first word are one message',
      [{ role: 'system', content: 'a' }, { role: 'developer', content: 'b' }, user, { role: 'system', content: 'c' }],
      [{ role: 'system', content: 'a\n\nb' }, user, { role: 'system', content: 'c' }],
    ],
    [
      'pictures',
      [
        { role: 'user', content: 'See', images: ['iVBORw0KGgoAAA', '/9j/4AAQ', 'R0lGODlh', 'UklGRh4', 'AQID'] },
        { role: 'user', content: '', images: ['data:image/png;base64,AA'] },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image', url: 'data:image/png;base64,iVBORw0KGgoAAA' },
            { type: 'image', url: 'data:image/jpeg;base64,/9j/4AAQ' },
            { type: 'image', url: 'data:image/gif;base64,R0lGODlh' },
            { type: 'image', url: 'data:image/webp;base64,UklGRh4' },
            { type: 'image', url: 'data:image/png;base64,AQID' },
          ],
        },
        { role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AA' }] },
      ],
    ],
    [
      'content in parts, or none',
      [
        { role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] },
        { role: 'user', content: null },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'data:x' } },
          ],
        },
      ],
      [
        { role: 'user', content: 'a\nb' },
        { role: 'user', content: '' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', url: 'data:x' },
          ],
        },
      ],
    ],
    [
      'thoughts, calls and results by id, in any order',
      [
        user,
        { ...asked(call('a', { n: 1 }, { id: 'x' }), call('b', {}, { id: 'call_abc.def:0' })), thinking: 'Hm' },
        { role: 'tool', tool_call_id: 'call_abc.def:0', content: 'B' },
        { role: 'tool', tool_call_id: 'x', tool_name: 'a', content: 'A' },
      ],
      [
        user,
        {
          role: 'assistant',
          content: inUsualOrder({
            reasoning: 'Hm',
            calls: [made('x', 'a', '{"n":1}'), made('call_abc.def:0', 'b', '{}')],
          }),
        },
        { role: 'tool', callId: 'call_abc.def:0', content: 'B' },
        { role: 'tool', callId: 'x', content: 'A' },
      ],
    ],
    [
      'results by name',
      [
        user,
        asked(call('a', {}), call('b', {}), call('a', { n: 2 })),
        { role: 'tool', tool_name: 'b', content: 'B' },
        { role: 'tool', tool_name: 'a', content: 'A1' },
        { role: 'tool', tool_name: 'a', content: 'A2' },
      ],
      [
        user,
        {
          role: 'assistant',
          content: inUsualOrder({
            calls: [
              made('call_message1_0', 'a', '{}'),
              made('call_message1_1', 'b', '{}'),
              made('call_message1_2', 'a', '{"n":2}'),
            ],
          }),
        },
        { role: 'tool', callId: 'call_message1_1', content: 'B' },
        { role: 'tool', callId: 'call_message1_0', content: 'A1' },
        { role: 'tool', callId: 'call_message1_2', content: 'A2' },
      ],
    ],
    [
      'results by order, and by unknown ids',
      [
        user,
        asked(call('a', {}, { id: 'one' }), call('a', {}, { id: 'two' }), call('a', {}, { id: 'three' })),
        { role: 'tool', content: '1' },
        { role: 'tool', tool_call_id: 'strange', content: '2' },
        { role: 'tool', tool_name: 'other', content: '3' },
      ],
      [
        user,
        {
          role: 'assistant',
          content: inUsualOrder({ calls: [made('one', 'a', '{}'), made('two', 'a', '{}'), made('three', 'a', '{}')] }),
        },
        { role: 'tool', callId: 'one', content: '1' },
        { role: 'tool', callId: 'two', content: '2' },
        { role: 'tool', callId: 'three', content: '3' },
      ],
    ],
    [
      'calls in messages of their own, before their results',
      [
        user,
        { ...asked(call('a', {})), content: 'First.' },
        asked(call('b', {})),
        { role: 'tool', content: '1' },
        { role: 'tool', content: '2' },
      ],
      [
        user,
        {
          role: 'assistant',
          content: inUsualOrder({
            content: 'First.',
            calls: [made('call_message1_0', 'a', '{}'), made('call_message2_0', 'b', '{}')],
          }),
        },
        { role: 'tool', callId: 'call_message1_0', content: '1' },
        { role: 'tool', callId: 'call_message2_0', content: '2' },
      ],
    ],
    [
      'ids that are all the same',
      [
        user,
        asked(call('a', {}, { id: 'c' }), call('b', {}, { id: 'c' })),
        { role: 'tool', tool_call_id: 'c', content: '1' },
        { role: 'tool', tool_call_id: 'c', content: '2' },
        user,
        asked(call('a', {}, { id: 'c' })),
        { role: 'tool', tool_call_id: 'c', content: '3' },
      ],
      [
        user,
        { role: 'assistant', content: inUsualOrder({ calls: [made('c', 'a', '{}'), made('c_2', 'b', '{}')] }) },
        { role: 'tool', callId: 'c', content: '1' },
        { role: 'tool', callId: 'c_2', content: '2' },
        user,
        { role: 'assistant', content: inUsualOrder({ calls: [made('c', 'a', '{}')] }) },
        { role: 'tool', callId: 'c', content: '3' },
      ],
    ],
    [
      'arguments as a string, or none, and a call of nothing',
      [user, asked(call('a', '{"n":1}'), call('a', ''), call('a', undefined), { function: {} }, 'x')],
      [
        user,
        {
          role: 'assistant',
          content: inUsualOrder({
            calls: [
              made('call_message1_0', 'a', '{"n":1}'),
              made('call_message1_1', 'a', '{}'),
              made('call_message1_2', 'a', '{}'),
            ],
          }),
        },
      ],
    ],
    [
      'a picture in a result is shown after the results',
      [
        user,
        asked(call('a', {}, { id: 'x' }), call('b', {}, { id: 'y' })),
        { role: 'tool', tool_call_id: 'x', content: 'A', images: ['AQ=='] },
        { role: 'tool', tool_call_id: 'y', content: 'B' },
      ],
      [
        user,
        { role: 'assistant', content: inUsualOrder({ calls: [made('x', 'a', '{}'), made('y', 'b', '{}')] }) },
        { role: 'tool', callId: 'x', content: 'A' },
        { role: 'tool', callId: 'y', content: 'B' },
        { role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AQ==' }] },
      ],
    ],
  ])('%s', async (_, messages, expected) => {
    const request = await read({ messages })
    expect(request.messages).toEqual(expected)
    expect(request).not.toHaveProperty('notes')
  })

  test.each<[string, readonly object[], string, readonly Message['role'][]]>([
    ['a result without a call', [user, { role: 'tool', content: 'A' }], 'unknown_tool_call_id', ['user', 'user']],
    [
      'a call without a result',
      [user, asked(call('a', {})), user],
      'unanswered_tool_call',
      ['user', 'assistant', 'tool', 'user'],
    ],
    [
      'two results of a call',
      [
        user,
        asked(call('a', {}, { id: 'x' })),
        { role: 'tool', tool_call_id: 'x', content: 'A' },
        { role: 'tool', tool_call_id: 'x', content: 'B' },
      ],
      'duplicate_tool_call_id',
      ['user', 'assistant', 'tool'],
    ],
    [
      'arguments that are no JSON',
      [user, asked(call('a', '{"n":', { id: 'x' })), { role: 'tool', tool_call_id: 'x', content: 'A' }],
      'malformed_tool_arguments',
      ['user', 'assistant', 'tool'],
    ],
  ])('%s is healed and noted, not refused', async (_, messages, detail, roles) => {
    const request = await read({ messages })
    expect(request.messages.map(({ role }) => role)).toEqual(roles)
    expect(request.notes).toEqual([{ type: 'note', kind: 'history_healed', detail }])
    expect(request.faults).toBeUndefined()
  })
})

describe('tools that are no good', () => {
  test.each<[string, unknown]>([
    ['of another kind', { type: 'web_search' }],
    ['without a name', { type: 'function', function: {} }],
    ['given twice', { type: 'function', function: weather }],
    ['no object', 'get_weather'],
  ])('one that is %s is left out and noted', async (_, tool) => {
    const request = await read({ messages: hi, tools: [{ type: 'function', function: weather }, tool] })
    expect(request.tools).toEqual([{ kind: 'function', ...weather }])
    expect(request.notes).toEqual([{ type: 'note', kind: 'tool_dropped', detail: 'tools[1]' }])
  })

  test('names that services refuse are told as ones they take, in the history too', async () => {
    const long = `server.${'x'.repeat(80)}`
    const names = ['fs.read', 'fs_read', long, 'wetter/größe']
    const request = await read({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'a', function: { name: 'fs.read', arguments: {} } }] },
        { role: 'tool', tool_name: 'fs.read', content: 'A' },
      ],
      tools: names.map((name) => ({ type: 'function', function: { name } })),
    })
    const told = request.tools.map(({ name }) => name)
    expect(new Set(told).size).toBe(4)
    expect(told[1]).toBe('fs_read')
    for (const name of told) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(request.messages.flatMap(callsOf)).toMatchObject([{ name: told[0] }])
    expect(request.messages[2]).toMatchObject({ callId: 'a' })
  })
})

describe('what cannot be read is refused with its place', () => {
  test.each<[string, unknown, string]>([
    ['no object', [], ''],
    ['no model', { messages: hi }, 'model'],
    ['messages that are no list', { model: 'm', messages: 'Hi' }, 'messages'],
    ['a message that is none', { model: 'm', messages: ['Hi'] }, 'messages[0]'],
    ['a stream that is no boolean', { model: 'm', messages: hi, stream: 'yes' }, 'stream'],
    ['an option of another type', { model: 'm', messages: hi, options: { temperature: 'hot' } }, 'options.temperature'],
    ['an unknown format', { model: 'm', messages: hi, format: 'xml' }, 'format'],
    ['an unknown level of thinking', { model: 'm', messages: hi, think: 'hard' }, 'think'],
    ['too many tools', { model: 'm', messages: hi, tools: Array.from({ length: 513 }, () => ({})) }, 'tools'],
  ])('%s', async (_, body, param) => {
    await expect(readAt(ollama, '/api/chat', body)).rejects.toMatchObject({ status: 400, param: param || null })
  })

  test('thinking, of a model that is known not to', async () => {
    const model = async (id: string) => ({ id, ownedBy: 'x', tools: 'auto' as const, thinking: false })
    await expect(read({ messages: hi, think: true }, '/api/chat', { model })).rejects.toMatchObject({
      status: 400,
      message: '"m" does not support thinking',
    })
    expect(await read({ messages: hi, think: false }, '/api/chat', { model })).toMatchObject({ model: 'm' })
  })
})

describe('generate', () => {
  test.each<[string, object, Partial<Request>]>([
    [
      'a prompt and instructions',
      { prompt: 'Hi', system: 's', suffix: '', template: '', raw: false, context: [], format: 'json' },
      {
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'Hi' },
        ],
        responseFormat: { type: 'json_object' },
      },
    ],
    [
      'a picture',
      { prompt: 'See', images: ['AQ=='] },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'See' },
              { type: 'image', url: 'data:image/png;base64,AQ==' },
            ],
          },
        ],
      },
    ],
    [
      'options and thinking',
      { prompt: 'Hi', options: { num_predict: 3 }, think: false },
      { maxTokens: 3, reasoning: { enabled: false } },
    ],
  ])('%s', async (_, fields, expected) => {
    expect(await read(fields, '/api/generate')).toMatchObject({ tools: [], ...expected })
  })

  test.each<[string, unknown]>([
    ['raw', true],
    ['suffix', 'x'],
    ['template', '{{ .Prompt }}'],
    ['context', [1, 2]],
  ])('%s is refused', async (name, value) => {
    await expect(read({ prompt: 'Hi', [name]: value }, '/api/generate')).rejects.toMatchObject({
      status: 400,
      message: `${name} is not supported here`,
    })
  })
})

describe('nothing asked is a model to load', () => {
  test.each<[string, string, object, string]>([
    ['no messages', '/api/chat', {}, 'load'],
    ['empty messages', '/api/chat', { messages: [] }, 'load'],
    ['messages that are null', '/api/chat', { messages: null }, 'load'],
    ['kept for no time', '/api/chat', { keep_alive: 0 }, 'unload'],
    ['kept for no seconds', '/api/chat', { keep_alive: '0s' }, 'unload'],
    ['kept for a while', '/api/chat', { keep_alive: '10m' }, 'load'],
    ['no prompt', '/api/generate', {}, 'load'],
    ['no prompt, kept for no time', '/api/generate', { prompt: '', keep_alive: 0 }, 'unload'],
  ])('%s at %s', async (_, path, fields, reason) => {
    const exchange = await readAt(ollama, path, { model: 'm', ...fields })
    expect(exchange.requests).toEqual([])
    expect(JSON.parse(await exchange.printBody([]))).toMatchObject({ model: 'm', done: true, done_reason: reason })
  })

  test('of a model that is not there is refused', async () => {
    const model = async () => {
      throw new Error('none')
    }
    await expect(readAt(ollama, '/api/chat', { model: 'm' }, { model })).rejects.toThrow('none')
  })
})
