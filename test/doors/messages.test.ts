import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import {
  answer,
  ending,
  json,
  type OpenAiDouble,
  refusal,
  type Script,
  startOpenAiDouble,
} from '../doubles/openai-compat.ts'
import { cutAtRandom } from '../doubles/text-model.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { ask, type Reply } from '../server/scripted.ts'
import { checkError, checkMessage, checkStream } from './messages-checker.ts'

type Fields = Readonly<Record<string, unknown>>

/** One with several calls an answer, one with one: every dialect is in same-task.test.ts. */
const dialects = ['hermes', 'roo-xml']
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tool = { name: 'get_weather', description: 'The weather', input_schema: schema }
const taught: readonly Tool[] = [{ kind: 'function', name: 'get_weather', parameters: schema }]
const usage = {
  prompt_tokens: 100,
  completion_tokens: 9,
  total_tokens: 109,
  prompt_tokens_details: { cached_tokens: 30 },
}

let respond: (body: Fields) => Script = () => answer()
let double: OpenAiDouble
let gateway: RunningGateway
let port: number

beforeAll(async () => {
  const listed = ['native', 'text'].map((id) => ({ id, object: 'model' }))
  double = await startOpenAiDouble({
    respond: (body) => respond(body),
    models: json({
      object: 'list',
      data: [...listed, { id: 'small', max_model_len: 4_096, max_completion_tokens: 1_000 }],
    }),
  })
  const model = (more: Fields) => ({ upstream: 'service', ...more })
  gateway = await startGateway({
    config: {
      keys: ['test-key'],
      limits: { body: '100kb' },
      upstreams: { service: { kind: 'openai', url: double.url } },
      models: {
        native: model({ tools: 'native' }),
        small: model({ tools: 'native' }),
        ...Object.fromEntries(dialects.map((dialect) => [dialect, model({ model: 'text', tools: 'prompt', dialect })])),
      },
    },
  })
  port = Number(new URL(gateway.origin).port)
})

afterAll(async () => {
  await gateway.stop()
  await double.close()
})

const key = { 'x-api-key': 'test-key' }
const hi = { model: 'native', max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] }

/** Asks, and looks at every byte that comes back. */
async function put(body: Fields, headers: Record<string, string> = key, path = '/v1/messages?beta=true') {
  const reply = await ask(port, { path, body, headers })
  return { reply, ...judge(reply) }
}

function judge(reply: Reply): { readonly message: Fields | undefined; readonly error: Fields | undefined } {
  expect(reply.headers['request-id']).toMatch(/^req_/)
  if (reply.status !== 200) {
    expect(checkError(reply.json)).toEqual([])
    expect(reply.json.request_id).toBe(reply.headers['request-id'])
    return { message: undefined, error: reply.json.error }
  }
  if (reply.json !== undefined) {
    expect(checkMessage(reply.json)).toEqual([])
    return { message: reply.json, error: undefined }
  }
  const { faults, message, error } = checkStream(reply.text)
  expect(faults).toEqual([])
  return { message, error }
}

const lastAsked = () => double.requests.at(-1)?.body as { messages: { role: string; content: unknown }[] } & Fields

describe.each(['native', ...dialects])('with tools as %s', (model) => {
  const dialect = findDialect(model)
  const cities = dialect?.grammar.single === true ? ['Oslo'] : ['Oslo', 'Rome']
  const made = cities.map((city, at) => ({
    id: `call_${at}`,
    name: 'get_weather',
    arguments: JSON.stringify({ city }),
  }))
  const calls = () =>
    dialect === undefined
      ? answer({
          text: 'Let me look.',
          calls: made.map((call) => ({ ...call, arguments: cutAtRandom(call.arguments, 3) })),
          usage,
        })
      : answer({ text: cutAtRandom(`Let me look.\n\n${printCalls(dialect, made, taught)}`, 5), usage })

  test.each([true, false])('a task is done in two steps (streaming: %s)', async (stream) => {
    respond = calls
    const body = {
      ...hi,
      model,
      stream,
      tools: [tool],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'The weather?' }] }],
    }
    const { message, reply } = await put(body)
    expect(reply.headers['x-dragoman-mode']).toBe(model === 'native' ? 'native' : 'prompt')
    expect(message).toMatchObject({ model, stop_reason: 'tool_use' })
    expect(message?.['usage']).toEqual({
      input_tokens: 70,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 30,
      output_tokens: 9,
    })
    const [said, ...blocks] = (message?.['content'] ?? []) as readonly {
      id: string
      name: string
      input: unknown
      text: string
    }[]
    expect(said?.text.trim()).toBe('Let me look.')
    expect(blocks.map(({ name, input }) => ({ name, input }))).toEqual(
      cities.map((city) => ({ name: 'get_weather', input: { city } })),
    )

    respond = () => answer({ text: ['It ', 'rains.'], usage })
    const results = blocks
      .toReversed()
      .map(({ id }, at) => ({ type: 'tool_result', tool_use_id: id, content: `rain ${at}`, is_error: at === 0 }))
    const then = {
      ...body,
      messages: [
        ...body.messages,
        { role: 'assistant', content: message?.['content'] },
        { role: 'user', content: results },
      ],
    }
    const last = await put(then)
    expect(last.message).toMatchObject({ content: [{ type: 'text', text: 'It rains.' }], stop_reason: 'end_turn' })
    const told = JSON.stringify(lastAsked().messages)
    for (const { content } of results) expect(told).toContain(content)
    expect(told).toContain('Error: rain 0')
  })

  test.each([true, false])('a call that is cut off is never ended (streaming: %s)', async (stream) => {
    const [call] = made
    const cut = (text: string) => text.slice(0, text.indexOf('Oslo') + 2)
    respond = () =>
      dialect === undefined
        ? answer({ calls: [{ name: 'get_weather', arguments: cut(call?.arguments ?? '') }], finish: 'length', usage })
        : answer({ text: cutAtRandom(cut(printCalls(dialect, made, taught)), 5), finish: 'length', usage })
    const { message, reply } = await put({ ...hi, model, stream, tools: [tool] })
    expect(message).toMatchObject({ stop_reason: 'max_tokens' })
    expect(JSON.stringify(message?.['content'])).not.toContain('tool_use')
    if (stream) expect(checkStream(reply.text).left).toBeLessThanOrEqual(1)
  })
})

test('thoughts are a block of their own, where they were asked for', async () => {
  respond = () => answer({ reasoning: ['Hm', '.'], text: 'Hi.', usage })
  const shown = await put({ ...hi, stream: true, thinking: { type: 'adaptive' } })
  expect(shown.message?.['content']).toMatchObject([
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: 'Hi.' },
  ])
  const hidden = await put({ ...hi, stream: true })
  expect(hidden.message?.['content']).toEqual([{ type: 'text', text: 'Hi.' }])
})

test('a stop sequence is named', async () => {
  respond = () => answer({ text: ['One EN', 'D two'], usage })
  const { message } = await put({ ...hi, stop_sequences: ['END'] })
  expect(message).toMatchObject({ content: [{ text: 'One ' }], stop_reason: 'stop_sequence', stop_sequence: 'END' })
})

describe('a conversation that its client wants shortened', () => {
  const use = (id: string) => ({ type: 'tool_use', id, name: 'get_weather', input: { city: id } })
  const turn = (id: string) => [
    { role: 'assistant', content: [use(id)] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `rain in ${id}` }] },
  ]
  const edits = [
    {
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'tool_uses', value: 2 },
      keep: { type: 'tool_uses', value: 1 },
    },
  ]
  const body = {
    ...hi,
    tools: [tool],
    messages: [...hi.messages, ...['Oslo', 'Rome', 'Bern'].flatMap(turn)],
    context_management: { edits },
  }

  test.each([true, false])('is, and that is told (streaming: %s)', async (stream) => {
    respond = () => answer({ text: 'It rains.', usage })
    const { message } = await put({ ...body, stream })
    const told = JSON.stringify(lastAsked().messages)
    expect(told).toContain('rain in Bern')
    expect(told).not.toMatch(/rain in (?:Oslo|Rome)/)
    expect(message?.['context_management']).toEqual({
      applied_edits: [
        { type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: expect.any(Number) },
      ],
    })
  })

  test('has its tokens counted before and after', async () => {
    const count = async (fields: Fields) =>
      (await ask(port, { path: '/v1/messages/count_tokens', headers: key, body: fields })).json
    const long = {
      ...body,
      messages: JSON.parse(JSON.stringify(body.messages).replaceAll('rain in', 'rain '.repeat(99))),
    }
    const whole = await count({ ...long, context_management: undefined })
    const { input_tokens: tokens, context_management: management } = await count(long)
    expect(management).toEqual({ original_input_tokens: whole.input_tokens })
    expect(tokens).toBeLessThan(whole.input_tokens - 100)
  })
})

test('no more is asked for than there is room', async () => {
  respond = () => answer({ text: 'Half an ans', finish: 'length', usage })
  const limited = await put({ ...hi, model: 'small', max_tokens: 32_000 })
  expect(lastAsked()['max_tokens']).toBe(1_000)
  expect(limited.message).toMatchObject({ stop_reason: 'max_tokens' })
  const words = 'word '.repeat(3_600)
  const full = await put({ ...hi, model: 'small', max_tokens: 32_000, messages: [{ role: 'user', content: words }] })
  expect(Number(lastAsked()['max_tokens'])).toBeLessThan(1_000)
  expect(full.message).toMatchObject({ stop_reason: 'model_context_window_exceeded' })
})

test('a model without eyes is told that there was an image', async () => {
  const isSeen = (body: Fields) => JSON.stringify(body).includes('image_url')
  respond = (body) =>
    isSeen(body)
      ? refusal(400, { error: { message: 'native is not a multimodal model' } })
      : answer({ text: 'I see none.' })
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const { message } = await put({
    ...hi,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }],
  })
  expect(message).toMatchObject({ content: [{ text: 'I see none.' }] })
  expect(lastAsked().messages).toEqual([{ role: 'user', content: 'What is it?\n\n[image omitted]' }])
})

describe('what goes wrong', () => {
  const upstream =
    (status: number, message: string, headers = {}) =>
    () =>
      refusal(status, { error: { message } }, headers)

  test.each<[string, Fields, Script | undefined, number, string, RegExp]>([
    ['no limit', { ...hi, max_tokens: undefined }, undefined, 400, 'invalid_request_error', /^max_tokens: /],
    ['no messages', { ...hi, messages: [] }, undefined, 400, 'invalid_request_error', /^messages: At least one/],
    [
      'a fault deep inside',
      { ...hi, messages: [hi.messages[0], { role: 'robot' }] },
      undefined,
      400,
      'invalid_request_error',
      /^messages\.1\.role: /,
    ],
    [
      'only what the vendor runs',
      { ...hi, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      undefined,
      400,
      'invalid_request_error',
      /server tool web_search is not available here/,
    ],
    ['a model that is not there', { ...hi, model: 'nope' }, undefined, 404, 'not_found_error', /^model: nope$/],
    [
      'a thread that is not kept',
      { ...hi, thread: { type: 'continue', previous_message_id: 'msg_1' } },
      undefined,
      404,
      'not_found_error',
      /conversation/,
    ],
    ['a body that is too large', { ...hi, system: 'x'.repeat(120_000) }, undefined, 413, 'request_too_large', /larger/],
    [
      'a prompt that is too long',
      { ...hi, model: 'small', system: 'word '.repeat(5_000) },
      undefined,
      400,
      'invalid_request_error',
      /^prompt is too long: \d+ tokens > 4096 maximum$/,
    ],
    [
      'a prompt that is too long for the service',
      hi,
      upstream(
        400,
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 10240 tokens.",
      )(),
      400,
      'invalid_request_error',
      /^prompt is too long: 10240 tokens > 8192 maximum$/,
    ],
    ['a request the service refuses', hi, upstream(400, 'bad things')(), 400, 'invalid_request_error', /bad things/],
    [
      'too many requests',
      hi,
      upstream(429, 'slow down', { 'retry-after': '7' })(),
      429,
      'rate_limit_error',
      /slow down/,
    ],
    ['a service that is broken', hi, upstream(500, 'boom')(), 502, 'api_error', /boom/],
    ['a service with too much to do', hi, upstream(503, 'overloaded')(), 529, 'overloaded_error', /overloaded/],
    ['a service that takes too long', hi, upstream(504, 'late')(), 504, 'timeout_error', /late/],
  ])('%s', async (_, body, script, status, type, words) => {
    const before = double.requests.length
    respond = () => script ?? answer()
    for (const stream of [true, false]) {
      const { reply, error } = await put({ ...body, stream })
      expect(reply.status).toBe(status)
      expect(error).toMatchObject({ type, message: expect.stringMatching(words) })
      if (status === 429) expect(reply.headers['retry-after']).toBe('7')
    }
    if (script === undefined)
      expect(double.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([])
  })

  test.each<[string, string, string, Record<string, string>, number, string]>([
    ['a wrong key', 'POST', '/v1/messages', { 'x-api-key': 'no' }, 401, 'authentication_error'],
    ['no key', 'POST', '/messages', {}, 401, 'authentication_error'],
    ['no key to count', 'POST', '/v1/messages/count_tokens', {}, 401, 'authentication_error'],
    ['no key for the models', 'GET', '/v1/models', { 'anthropic-version': '2023-06-01' }, 401, 'authentication_error'],
    ['a wrong method', 'GET', '/v1/messages', key, 405, 'invalid_request_error'],
    ['nothing there', 'POST', '/v1/messages/batches', key, 404, 'not_found_error'],
    ['an unknown model', 'GET', '/v1/models/nope', { ...key, 'anthropic-version': '1' }, 404, 'not_found_error'],
  ])('%s', async (_, method, path, headers, status, type) => {
    const reply = await ask(port, { method, path, headers, ...(method === 'POST' && { body: hi }) })
    expect(reply.status).toBe(status)
    expect(judge(reply).error).toMatchObject({ type })
    expect(reply.headers['x-should-retry']).toBe(status === 401 ? 'false' : undefined)
  })

  test('a service that breaks off in the middle is an error event', async () => {
    respond = () => ending(answer({ text: ['Hel', 'lo'], finish: null, done: false, usage: null }), 'drop')
    const { error, message, reply } = await put({ ...hi, stream: true })
    expect(reply.text).toContain('Hel')
    expect(error).toMatchObject({ type: 'api_error' })
    expect(message).toBeUndefined()
  })

  test('a client that hangs up takes the request with it', async () => {
    respond = () => ending(answer({ text: 'Hel', finish: null, done: false, usage: null }), 'hang')
    const before = double.requests.length
    const abort = new AbortController()
    const body = JSON.stringify({ ...hi, stream: true })
    const headers = { ...key, 'content-type': 'application/json' }
    const reply = await fetch(`${gateway.origin}/v1/messages`, { method: 'POST', body, headers, signal: abort.signal })
    await reply.body?.getReader().read()
    abort.abort()
    expect(await double.requests.slice(before).find(({ method }) => method === 'POST')?.over).toBe('aborted')
  })
})

test.each<Record<string, string>>([key, { authorization: 'Bearer test-key' }])('a key opens: %j', async (headers) => {
  respond = () => answer({ text: 'Hi.' })
  expect((await put(hi, headers)).message).toBeDefined()
  expect((await put(hi, headers, '/messages')).message).toBeDefined()
})

test('tokens are counted with the instructions and the tools', async () => {
  const count = async (more: Fields) => {
    const { status, json: body } = await ask(port, {
      path: '/v1/messages/count_tokens?beta=true',
      headers: key,
      body: { model: 'hermes', messages: [{ role: 'user', content: 'foo' }], ...more },
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['input_tokens'])
    return body.input_tokens as number
  }
  const bare = await count({ tools: [] })
  const instructed = await count({ system: [{ type: 'text', text: 'Be brief, and then be briefer.' }] })
  const one = await count({ tools: [tool] })
  const two = await count({ tools: [tool, { ...tool, name: 'get_forecast', description: 'The weather of tomorrow' }] })
  expect(bare).toBeGreaterThan(0)
  expect(instructed).toBeGreaterThan(bare)
  expect(one).toBeGreaterThan(bare)
  expect(two).toBeGreaterThan(one)
  // Deferred tools are not in the prompt; the search for them is.
  const search = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }
  const deferred = await count({ tools: [search, { ...tool, defer_loading: true }] })
  expect(deferred).toBeGreaterThan(bare)
  const described = { ...tool, description: 'long '.repeat(500), defer_loading: true }
  expect(await count({ tools: [search, described] })).toBeLessThan(one + 500)
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const shown = await count({ messages: [{ role: 'user', content: [{ type: 'text', text: 'foo' }, image] }] })
  expect(shown).toBeGreaterThan(bare + 500)
})

test('the list of models has the shape its reader knows', async () => {
  const get = (path: string, headers: Record<string, string>) =>
    ask(port, { method: 'GET', path, headers: { ...key, ...headers } })
  const ours = await get('/v1/models', { 'anthropic-version': '2023-06-01' })
  expect(ours.json).toMatchObject({ has_more: false, first_id: 'native', last_id: 'text' })
  expect(ours.json.data).toContainEqual(
    expect.objectContaining({
      type: 'model',
      id: 'small',
      display_name: 'small',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      max_input_tokens: 4_096,
    }),
  )
  expect((await get('/v1/models/small', { 'anthropic-version': '1' })).json).toMatchObject({
    type: 'model',
    id: 'small',
  })
  expect((await get('/v1/models', {})).json).toMatchObject({ object: 'list' })
  expect((await get('/v1/models/small', {})).json).toMatchObject({ object: 'model' })
})

test('somebody is there', async () => {
  expect((await ask(port, { method: 'HEAD', path: '/api/hello', headers: key })).status).toBe(200)
})
