import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import { fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { createPoeUpstream, type PoeOptions } from '../../src/upstreams/poe/poe.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { type PoeEvent, type PoeScript, says, startPoeDouble } from '../doubles/poe.ts'

const timeouts = { connectMs: 2000, firstEventMs: 5000, idleMs: 5000, totalMs: 10_000 }

const request: UpstreamRequest = {
  model: 'Claude Sonnet/4',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  sampling: {},
  extra: {},
}

async function startBoth(script: PoeScript, options: Partial<PoeOptions> = {}) {
  const double = await startPoeDouble([script])
  const upstream = createPoeUpstream({ name: 'poe', url: double.url, key: 'key-of-ada', timeouts, ...options })
  onTestFinished(async () => {
    await upstream.close()
    await double.close()
  })
  return { double, upstream }
}

async function listen(script: PoeScript, asked: Partial<UpstreamRequest> = {}, options: Partial<PoeOptions> = {}) {
  const both = await startBoth(script, options)
  const events: UpstreamEvent[] = []
  let thrown: unknown
  try {
    for await (const read of both.upstream.chat({ ...request, ...asked }, new AbortController().signal)) {
      events.push(...read)
    }
  } catch (error) {
    thrown = error
  }
  return { ...both, events, thrown }
}

/** What the client of a turn gets. */
async function converse(events: readonly PoeEvent[], tools: readonly Tool[] = []) {
  const { upstream } = await startBoth({ events })
  const turns = createTurns({
    upstreams: new Map([['poe', upstream]]),
    models: [{ ...defaultSettings('bot', ['poe']), dialect: 'xml-name-args' }],
    newId: () => 'call_1',
  })
  const heard: Event[] = []
  let thrown: unknown
  try {
    const turn = await turns.start({ ...request, model: 'bot', tools }, { signal: new AbortController().signal })
    for await (const batch of turn.events) heard.push(...batch)
  } catch (error) {
    thrown = error
  }
  return { ...fold(heard), thrown }
}

test('a request is a query, in which the assistant is the bot', async () => {
  const { double } = await listen(says('Fine.'), {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'Well?' },
    ],
    sampling: { temperature: 0.5 },
    stop: ['END'],
    maxTokens: 10,
    user: 'ada',
  })
  const message = (role: string, content: string) => ({
    role,
    content,
    content_type: 'text/markdown',
    timestamp: 0,
    message_id: '',
    feedback: [],
    attachments: [],
    parameters: {},
    message_type: null,
    metadata: null,
  })
  expect(double.requests).toHaveLength(1)
  expect(double.requests[0]).toMatchObject({
    path: '/bot/Claude%20Sonnet%2F4',
    headers: { authorization: 'Bearer key-of-ada', accept: 'application/json', 'content-type': 'application/json' },
  })
  expect(double.requests[0]?.body).toEqual({
    version: '1.2',
    type: 'query',
    query: [message('system', 'Be brief.'), message('user', 'Hello'), message('bot', 'Hi.'), message('user', 'Well?')],
    user_id: 'ada',
    conversation_id: '',
    message_id: '',
    temperature: 0.5,
    skip_system_prompt: false,
    logit_bias: {},
    stop_sequences: ['END'],
    language_code: 'en',
    tools: null,
    tool_calls: null,
    tool_results: null,
  })
})

test('an answer is its texts, and a bot says when it is done', async () => {
  const { events, thrown } = await listen(says('Fi', 'ne, 😀', '.'))
  expect(thrown).toBeUndefined()
  expect(events).toEqual([
    { type: 'text', text: 'Fi' },
    { type: 'text', text: 'ne, 😀' },
    { type: 'text', text: '.' },
    { type: 'finish', reason: 'stop' },
  ])
})

test('replacements, files, indexes and events nobody knows are heard as what they are', async () => {
  const { events } = await listen({
    events: [
      ['replace_response', { text: 'Thinking…', index: 0 }],
      ['replace_response', { text: 'Fine' }],
      ['text', { text: '.' }],
      ['json', { choices: [{ delta: { content: 'not asked for' }, finish_reason: null }] }],
      ['file', { url: 'https://example.com/a.png', content_type: 'image/png', name: 'a.png', inline_ref: null }],
      ['meta', { linkify: true }],
      ['someday', { anything: true }],
      ['ping', {}],
      ': comment\n\n',
      ['done', {}],
      ['text', { text: 'too late' }],
    ],
  })
  expect(events).toEqual([
    { type: 'note', kind: 'text_replaced' },
    { type: 'text', text: 'Fine.' },
    { type: 'note', kind: 'file_dropped', detail: 'a.png' },
    { type: 'finish', reason: 'stop' },
  ])
})

test.each<[string, PoeScript, object]>([
  [
    'an error that may pass',
    { events: [['error', { allow_retry: true, text: 'Try later' }]] },
    { code: 'upstream_error' },
  ],
  ['an error without a word', { events: [['error', {}]] }, { code: 'upstream_error', status: 502 }],
  [
    'an error that stays',
    { events: [['error', { allow_retry: false, text: 'No: server error 500' }]] },
    { code: 'upstream_rejected', message: expect.not.stringMatching(/500|server error/) },
  ],
  [
    'a message too long',
    { events: [['error', { error_type: 'user_message_too_long', text: 'Too long' }]] },
    { code: 'context_length_exceeded', param: 'messages' },
  ],
  [
    'no points left',
    { events: [['error', { error_type: 'insufficient_fund', text: 'No' }]] },
    { code: 'insufficient_quota' },
  ],
  ['a fault of the user', { events: [['error', { error_type: 'user_caused_error' }]] }, { code: 'upstream_rejected' }],
  ['a refusal', { events: [['error', { error_type: 'privacy_authorization_error' }]] }, { code: 'upstream_forbidden' }],
  ['an end without done', { events: [['text', { text: 'Half' }]] }, { code: 'upstream_truncated' }],
  ['nothing at all', { events: [] }, { code: 'upstream_truncated' }],
  ['an event that is no JSON', { events: ['event: text\ndata: {"te\n\n'] }, { code: 'upstream_malformed' }],
  ['a text without text', { events: [['text', {}]] }, { code: 'upstream_malformed' }],
  ['a wrong key', { status: 401, events: ['Invalid API key'] }, { code: 'upstream_auth' }],
  ['an unknown bot', { status: 404, events: ['model not found'] }, { code: 'model_not_found' }],
  [
    'a bot that is not there, without a word',
    { status: 404, events: [] },
    {
      code: 'model_not_found',
      status: 404,
      param: 'model',
      message:
        "poe: Poe has no bot called 'Claude Sonnet/4' (status 404). Check the spelling of the model's name, or of `model` in its settings.",
    },
  ],
  ['too many requests', { status: 429, events: ['slow down'] }, { code: 'rate_limit_exceeded' }],
  [
    'too many requests, without a word',
    { status: 429, events: [] },
    { code: 'rate_limit_exceeded', message: 'poe: it is getting too many requests. Try again in a moment.' },
  ],
])('%s is told as what it is', async (_, script, failure) => {
  expect((await listen(script)).thrown).toMatchObject(failure)
})

test('the key of the client goes on where the config says so, and a key there must be', async () => {
  const { double } = await listen(says('Fine.'), { clientKey: 'key-of-bob' }, { key: 'passthrough' })
  expect(double.requests[0]?.headers.authorization).toBe('Bearer key-of-bob')
  const without = await listen(says('Fine.'), {}, { key: 'passthrough' })
  expect(without.thrown).toMatchObject({
    code: 'upstream_auth',
    status: 401,
    message: expect.stringContaining('in the header x-dragoman-upstream-key'),
  })
  expect(without.double.requests).toEqual([])
  const { url, ...keyless } = { url: without.double.url, name: 'poe', timeouts }
  const unset = createPoeUpstream({ ...keyless, url })
  onTestFinished(() => unset.close())
  const reading = (async () => {
    for await (const _ of unset.chat(request, new AbortController().signal));
  })()
  await expect(reading).rejects.toMatchObject({ code: 'upstream_auth', message: expect.stringContaining("Add 'key'") })
})

test.each<[string, Partial<UpstreamRequest>, string]>([
  [
    'an image',
    { messages: [{ role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AA' }] }] },
    'messages[0].content',
  ],
  [
    'a file',
    { messages: [{ role: 'user', content: [{ type: 'other', value: { type: 'file' } }] }] },
    'messages[0].content',
  ],
  ['tools of its own', { tools: [{ kind: 'function', name: 'read' }] }, 'tools'],
])('%s is refused before anything is sent', async (_, asked, param) => {
  const { double, thrown } = await listen(says('Fine.'), asked)
  expect(thrown).toMatchObject({ code: 'unsupported_parameter', status: 400, param })
  expect(double.requests).toEqual([])
})

const directives: Partial<UpstreamRequest> = {
  maxTokens: 10,
  sampling: { temperature: 0, topP: 0.5, seed: 0, presencePenalty: 1, frequencyPenalty: 1, logitBias: { 1: 1 } },
  stop: ['END'],
  responseFormat: { type: 'json_object' },
  reasoning: { effort: 'low' },
  user: 'ada',
  extra: { min_p: 0.1, metadata: { a: 'b' }, top_k: null },
}

test('directives it has no field for are told with the first words, those it has are not', async () => {
  const { events } = await listen(says('Fine.'), directives)
  expect(events.slice(0, 2)).toEqual([
    {
      type: 'note',
      kind: 'field_dropped',
      detail: 'max_tokens, top_p, presence_penalty, frequency_penalty, seed, response_format, reasoning_effort, min_p',
    },
    { type: 'text', text: 'Fine.' },
  ])
  expect((await listen(says('Fine.'), { sampling: { temperature: 1 }, stop: ['x'] })).events).toHaveLength(2)
})

test('a refusal is a refusal, whatever fields were left out', async () => {
  expect(await listen({ status: 401, events: ['no'] }, directives)).toMatchObject({
    events: [],
    thrown: { code: 'upstream_auth' },
  })
})

test('an object instead of a stream is a refusal, in its own words', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ detail: 'Bot is asleep' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { thrown } = await listen(says('unused'), {}, { url: `http://127.0.0.1:${port}/bot` })
  expect(thrown).toMatchObject({ code: 'upstream_error', message: 'poe: Bot is asleep' })
})

test('an event without a name that refuses is a refusal, whatever follows', async () => {
  const { thrown } = await listen({ events: ['data: {"code":1301,"msg":"quota exceeded"}\n\n', ['done', {}]] })
  expect(thrown).toMatchObject({ code: 'insufficient_quota', message: 'poe: quota exceeded' })
})

test('an answer that says too much is cut off', async () => {
  const { double, events, thrown } = await listen(
    { events: [...says('1234', '5678').events.slice(0, -1)], ending: 'hang' },
    {},
    { limits: { answerBytes: 7 } },
  )
  expect(thrown).toMatchObject({ code: 'answer_too_large' })
  expect(events).toEqual([{ type: 'text', text: '1234' }])
  await expect.poll(() => double.aborts).toBe(1)
})

test('leaving hangs up at once', async () => {
  const { double, upstream } = await startBoth({ events: [['text', { text: 'Half' }]], ending: 'hang' })
  const controller = new AbortController()
  const reading = (async () => {
    for await (const _ of upstream.chat(request, controller.signal)) controller.abort(new Error('gone'))
  })()
  await expect(reading).rejects.toThrow('gone')
  await expect.poll(() => double.aborts).toBe(1)
})

test('it lists no models and has no native tools', async () => {
  const { upstream } = await startBoth(says())
  expect(await upstream.models(new AbortController().signal)).toEqual([])
  expect(await upstream.probe('bot', new AbortController().signal)).toEqual({ nativeTools: 'no' })
})

const weather: Tool = {
  kind: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { location: { type: 'string' } } },
}
const call = '<tool_call>\n<name>get_weather</name>\n<arguments>{"location": "SF"}</arguments>\n</tool_call>'

test('a call is read out of what a bot says, and the usage is counted', async () => {
  const answer = await converse(
    [
      ['text', { text: `Looking.\n${call.slice(0, 30)}` }],
      ['text', { text: call.slice(30) }],
      ['done', {}],
    ],
    [weather],
  )
  expect(answer).toMatchObject({
    content: 'Looking.',
    calls: [{ name: 'get_weather', arguments: '{"location": "SF"}' }],
    finish: 'tool_calls',
    usage: { estimated: true },
  })
  expect(answer.usage?.promptTokens).toBeGreaterThan(50)
})
