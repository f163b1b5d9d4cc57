import { expect, onTestFinished, test } from 'vitest'
import { createTurns } from '../../src/turn/turns.ts'
import { createUpstream } from '../../src/upstreams/registry.ts'
import {
  answer,
  event,
  json,
  type OpenAiDoubleOptions,
  raw,
  refusal,
  silence,
  startOpenAiDouble,
} from '../doubles/openai-compat.ts'
import { timeouts } from '../doubles/openai-upstream.ts'
import { type Asked, ask, run } from '../server/scripted.ts'

const listed = json({ object: 'list', data: [{ id: 'tiny:latest', object: 'model', owned_by: 'library' }] })

/** A gateway before something that is to Ollama as its source says. */
async function startOllama(
  respond: OpenAiDoubleOptions['respond'],
  questions: OpenAiDoubleOptions['questions'] = {},
  { limits = {}, ...settings }: { readonly limits?: Partial<typeof timeouts>; readonly context?: number } = {},
) {
  const double = await startOpenAiDouble({
    respond,
    models: listed,
    questions: {
      '/api/version': { version: '0.15.0' },
      '/api/show': { capabilities: ['tools', 'completion'] },
      ...questions,
    },
  })
  const upstream = createUpstream(
    'local',
    { kind: 'openai', url: double.url, ...settings },
    {
      timeouts: { ...timeouts, ...limits },
    },
  )
  const turns = createTurns({ upstreams: new Map([['local', upstream]]), models: [], newId: () => 'call_1' })
  const running = await run({ turns })
  onTestFinished(async () => {
    await running.gateway.close()
    await upstream.close()
    await double.close()
  })
  const say = (body: object = {}, asked: Asked = {}) =>
    ask(running.port, { ...asked, body: { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], ...body } })
  return { ...running, double, upstream, turns, say }
}

test.each(['tiny', 'Tiny:latest', 'library/tiny:latest', 'tiny:latest'])('%s is one of its models', async (model) => {
  const { say, double } = await startOllama([answer({ text: 'Hello.' })])
  const { status, json: body } = await say({ model })
  expect([status, body.choices[0].message.content]).toEqual([200, 'Hello.'])
  expect(double.requests.at(-1)?.body).toMatchObject({ model: 'tiny:latest' })
})

test('a model it does not have is not found', async () => {
  const { say } = await startOllama([answer({ text: 'Hello.' })])
  expect((await say({ model: 'tiny:7b' })).status).toBe(404)
})

test('a model that does not think is asked without an effort, and the next time at once', async () => {
  const { say, double } = await startOllama((body) =>
    body['reasoning_effort'] === undefined
      ? answer({ text: 'Hello.' })
      : refusal(400, { error: { message: '"tiny" does not support thinking', type: 'invalid_request_error' } }),
  )
  const effort = { reasoning_effort: 'high' }
  expect((await say(effort)).json.choices[0].message.content).toBe('Hello.')
  expect((await say(effort)).json.choices[0].message.content).toBe('Hello.')
  const asked = double.requests.filter(({ method }) => method === 'POST')
  expect(asked.map(({ body }) => (body as Record<string, unknown>)['reasoning_effort'])).toEqual([
    'high',
    undefined,
    undefined,
  ])
})

const read = {
  type: 'function',
  function: { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}

/** What its OpenAI layer makes of an error: a chunk of no model, and the end. */
const brokenAfter = (...pieces: readonly string[]) =>
  raw([
    ...pieces.map((content) => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    event({ model: '', choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
  ])

const taught = '<tool_call>\n{"name": "read", "arguments": {"path": "/a"}}\n</tool_call>'

test.each([true, false])(
  'a native call that was cut off is made in words when none was said (streamed: %s)',
  async (stream) => {
    const { say } = await startOllama((body) =>
      body['tools'] === undefined ? answer({ text: taught }) : brokenAfter(),
    )
    const { status, text, headers } = await say({ tools: [read], max_tokens: 50, stream })
    expect([status, headers['x-dragoman-mode']]).toEqual([200, 'prompt'])
    expect(text).toContain('"tool_calls"')
    expect(text).toContain('"finish_reason":"tool_calls"')
  },
)

test.each([true, false])('after words, it ends the answer by its length (streamed: %s)', async (stream) => {
  const { say } = await startOllama([brokenAfter('Let ', 'me ', 'look.')])
  const { status, text } = await say({ tools: [read], max_tokens: 50, stream })
  expect(status).toBe(200)
  expect(text).toContain('"finish_reason":"length"')
  expect(text).not.toContain('"error"')
})

test('without a limit it is an error that says where its words are', async () => {
  const { say } = await startOllama([brokenAfter('Let me look.')])
  const { status, json: body } = await say({ messages: [{ role: 'user', content: 'Hi' }] })
  expect([status, body.error.code]).toEqual([502, 'upstream_error'])
  expect(body.error.message).toContain('Its log has the details')
})

test('while a native call is written it says nothing, and is waited for as long as it is there', async () => {
  let written = () => undefined as undefined
  const isWritten = new Promise<void>((resolve) => {
    written = () => void resolve()
  })
  let asked = 0
  const { say } = await startOllama(
    async () => {
      await isWritten
      return answer({ calls: [{ name: 'read', arguments: '{"path": "/a"}' }], callShape: 'whole' })
    },
    {
      '/api/version': () => {
        if (++asked === 3) written()
        return { version: '0.15.0' }
      },
    },
    { limits: { firstEventMs: 20, idleMs: 20 } },
  )
  const { status, json: body } = await say({ tools: [read] })
  expect([status, body.choices[0].finish_reason]).toEqual([200, 'tool_calls'])
})

test('in words it speaks all the time: there silence is the end', async () => {
  const { say } = await startOllama([silence], {}, { limits: { firstEventMs: 20, idleMs: 20 } })
  expect((await say()).status).toBe(504)
})

const loaded = (tokens: number) => ({ models: [{ name: 'tiny:latest', model: 'tiny:latest', context_length: tokens }] })
const shown = { capabilities: ['tools'], model_info: { 'llama.context_length': 131_072 } }
const counted = (tokens: number) => ({ prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 })

test.each<[string, number, number, string | undefined]>([
  ['was cut', 40_000, 2_050, 'prompt_truncated'],
  ['fits', 8_000, 2_000, undefined],
])('a prompt that %s is told by its figures', async (_, characters, tokens, notice) => {
  const { say, nextRecord } = await startOllama([answer({ text: 'Hm.', usage: counted(tokens) })], {
    '/api/ps': loaded(4_096),
    '/api/show': shown,
  })
  const record = nextRecord()
  const { status, headers } = await say({ messages: [{ role: 'user', content: 'word '.repeat(characters / 5) }] })
  expect([status, headers['x-dragoman-notice']]).toEqual([200, notice])
  expect((await record).notes?.includes('prompt_truncated') ?? false).toBe(notice !== undefined)
})

test('a prompt it refuses is refused with what to do', async () => {
  const message = 'the prompt is longer than the context length currently available to the model'
  const { say } = await startOllama([refusal(400, { error: { message, type: 'invalid_request_error' } })])
  const { status, json: body } = await say({ messages: [{ role: 'user', content: 'word '.repeat(4_000) }] })
  expect([status, body.error.code, body.error.param]).toEqual([400, 'context_length_exceeded', 'messages'])
  expect(body.error.message).toMatch(/OLLAMA_CONTEXT_LENGTH.*num_ctx.*`context`/)
})

test('what is known of a context can be shown', async () => {
  const { upstream, turns } = await startOllama([answer()], { '/api/ps': loaded(4_096), '/api/show': shown })
  const contextOf = async (model: string) => (await upstream.probe(model, new AbortController().signal)).context
  expect(await contextOf('tiny')).toMatchObject({ tokens: 4_096, most: 131_072, cuts: true })
  expect(await contextOf('other')).toMatchObject({ most: 131_072, cuts: true })
  const [local] = (await turns.services?.(new AbortController().signal, { probed: 4 })) ?? []
  expect(local?.models[0]?.warning).toMatch(/^tiny:latest gets 4,096 of its 131,072 tokens.*OLLAMA_CONTEXT_LENGTH/)
  const [card] = await turns.models(new AbortController().signal)
  expect(card).toMatchObject({ contextLength: 4_096, warning: expect.stringContaining('cut off') })
})

test('text its parser kept is missed', async () => {
  const { say } = await startOllama((_, __, index) =>
    answer({ text: 'Hm.', usage: { prompt_tokens: 9, completion_tokens: index === 0 ? 200 : 3 } }),
  )
  expect((await say({ tools: [read] })).headers['x-dragoman-notice']).toBe('text_swallowed')
  expect((await say({ tools: [read] })).headers['x-dragoman-notice']).toBeUndefined()
})

const spoken = (...lines: readonly object[]) => ({
  status: 200,
  headers: { 'content-type': 'application/x-ndjson' },
  writes: lines.map((line) => `${JSON.stringify({ model: 'tiny', ...line })}\n`),
  ending: 'end' as const,
})
const finished = { done: true, done_reason: 'stop', prompt_eval_count: 9_000, eval_count: 5 }

test.each([true, false])(
  'with a context of its own it is asked where that can be said (streamed: %s)',
  async (stream) => {
    const bodies: Readonly<Record<string, unknown>>[] = []
    const called = { function: { name: 'read', arguments: { path: '/a' } } }
    const { say, upstream } = await startOllama(
      [refusal(500, 'not here')],
      {
        '/api/ps': loaded(4_096),
        '/api/show': shown,
        '/api/chat': (body) => {
          bodies.push(body)
          return spoken({ message: { role: 'assistant', content: '', tool_calls: [called] } }, finished)
        },
      },
      { context: 32_768 },
    )
    const { status, text } = await say({ tools: [read], stream, max_tokens: 50 })
    expect(status).toBe(200)
    expect(text).toContain('"finish_reason":"tool_calls"')
    expect(bodies).toHaveLength(1)
    expect(bodies[0]).toMatchObject({
      model: 'tiny:latest',
      truncate: false,
      options: { num_ctx: 32_768, num_predict: 50 },
      tools: [read],
    })
    const { context } = await upstream.probe('tiny', new AbortController().signal)
    expect(context).toEqual({ tokens: 32_768, most: 131_072 })
  },
)

test('there, it takes more fields, what it does not take is named, and an empty error is none', async () => {
  const bodies: Readonly<Record<string, unknown>>[] = []
  const { say } = await startOllama(
    [refusal(500, 'not here')],
    {
      '/api/chat': (body) => {
        bodies.push(body)
        return spoken({ message: { role: 'assistant', content: 'Hi.' }, error: '' }, finished)
      },
    },
    { context: 32_768 },
  )
  const { status, headers } = await say({ top_k: 5, min_p: 0.1, keep_alive: '5m', reasoning: {}, top_a: 0.2 })
  expect([status, headers['x-dragoman-notice']]).toEqual([200, 'field_dropped;fields="reasoning, top_a"'])
  expect(bodies).toMatchObject([{ keep_alive: '5m', options: { top_k: 5, min_p: 0.1, num_ctx: 32_768 } }])
})

test('there, what goes wrong in the middle has words', async () => {
  const inner = {
    error: { code: 400, message: 'request (10019 tokens) exceeds the available context size (4096 tokens)' },
  }
  const { say } = await startOllama(
    [refusal(500, 'not here')],
    { '/api/chat': spoken({ error: JSON.stringify(inner) }) },
    { context: 4_096 },
  )
  const { status, json: body } = await say()
  expect([status, body.error.code]).toEqual([400, 'context_length_exceeded'])
  expect(body.error.message).toContain('10019 tokens')
})

test('a client of its own says how much context it wants, where the service can be told', async () => {
  const bodies: Readonly<Record<string, unknown>>[] = []
  const { port } = await startOllama([refusal(500, 'not here')], {
    '/api/ps': loaded(4_096),
    '/api/show': shown,
    '/api/chat': (body) => {
      bodies.push(body)
      return spoken({ message: { role: 'assistant', content: 'Hi.' } }, finished)
    },
  })
  const options = { num_ctx: 16_384, top_k: 5, typical_p: 0.7, num_predict: 9 }
  const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], options, keep_alive: '5m', stream: false }
  const { status, headers, json: told } = await ask(port, { path: '/api/chat', body })
  expect([status, headers['x-dragoman-notice'], told.message.content]).toEqual([200, undefined, 'Hi.'])
  expect(bodies).toMatchObject([{ options, keep_alive: '5m', truncate: false }])
})

test('without such a wish it is asked as ever, and what it does not take is named', async () => {
  const { port, double } = await startOllama([answer({ text: 'Hi.' })])
  const body = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], options: { top_k: 5 }, stream: false }
  const { headers } = await ask(port, { path: '/api/chat', body })
  expect(headers['x-dragoman-notice']).toBe('field_dropped;fields="top_k"')
  expect(double.requests.at(-1)?.path).toBe('/v1/chat/completions')
})

test('what its models can do is shown to its clients, and thinking asked of none that cannot', async () => {
  const { port } = await startOllama([answer({ text: 'Hi.' })], {
    '/api/ps': loaded(8_192),
    '/api/show': { capabilities: ['completion', 'vision'], model_info: { 'llama.context_length': 131_072 } },
  })
  const { json: told } = await ask(port, { path: '/api/show', body: { model: 'tiny' } })
  expect(told).toMatchObject({
    capabilities: ['completion', 'tools', 'vision'],
    model_info: { 'general.architecture': 'tiny', 'tiny.context_length': 8_192 },
  })
  const { json: tags } = await ask(port, { method: 'GET', path: '/api/tags' })
  expect(tags.models).toMatchObject([{ name: 'tiny:latest', capabilities: ['completion', 'tools', 'vision'] }])
  const chat = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], stream: false }
  const thinking = await ask(port, { path: '/api/chat', body: { ...chat, think: true } })
  expect([thinking.status, thinking.text]).toEqual([400, '{"error":"\\"tiny\\" does not support thinking"}'])
  expect((await ask(port, { path: '/api/chat', body: { ...chat, think: false } })).status).toBe(200)
})
