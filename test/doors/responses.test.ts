import { createClient } from '@redis/client'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { answer, ending, refusal, type Script, silence, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { native, speak } from '../doubles/speak.ts'
import { startGateway } from '../dragoman.ts'
import { need } from '../needs.ts'
import { startRedis } from '../qwen/redis-server.ts'
import { checkBody, checkStream } from './responses-checker.ts'

/** The responses door in the started program, before a scripted service, as the official client meets it. */

/** One dialect with several calls an answer, one with one: every dialect is in same-task.test.ts. */
const columns = [native, 'hermes', 'roo-xml']

let script: (body: Record<string, unknown>, index: number) => Script | Promise<Script> = () =>
  answer({ text: 'Hello.' })
let double: Awaited<ReturnType<typeof startOpenAiDouble>>
let gateway: Awaited<ReturnType<typeof startGateway>>

const key = 'key-of-ada'
const settingsOf = (column: string) => (column === native ? { tools: native } : { tools: 'prompt', dialect: column })

const configFor = (url: string, more: object = {}) => ({
  keys: [key, 'key-of-bob'],
  upstreams: { service: { kind: 'openai', url } },
  models: Object.fromEntries(columns.map((column) => [column, { upstream: 'service', ...settingsOf(column) }])),
  limits: { body: '1mb' },
  ...more,
})

beforeAll(async () => {
  double = await startOpenAiDouble({ models: columns, respond: (body, _headers, index) => script(body, index) })
  gateway = await startGateway({ config: configFor(double.url) })
}, 60_000)

afterAll(async () => {
  await gateway.stop()
  await double.close()
})

/** The official client; every byte it gets is checked. */
function clientOf(origin = gateway.origin, apiKey = key): OpenAI {
  const checked: typeof fetch = async (url, init) => {
    const response = await fetch(url, init)
    const { pathname } = new URL(String(url))
    if (!response.ok || init?.method !== 'POST' || pathname !== '/v1/responses') return response
    const text = await response.text()
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) checkStream(text)
    else checkBody(JSON.parse(text))
    return new Response(text, response)
  }
  return new OpenAI({ apiKey, baseURL: `${origin}/v1`, maxRetries: 0, fetch: checked })
}

const weather: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const patch: OpenAI.Responses.CustomTool = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
}
const patchText = '*** Begin Patch\n+say "hi" \\ <b>☃ 😀</b>\n*** End Patch\n'

/** Two calls, and then words about their results. */
function actWeather(column: string): void {
  let step = 0
  script = (body) => {
    step += 1
    if (step === 1) {
      const calls = ['Oslo', 'Rome'].map((city) => ({ name: 'get_weather', arguments: { city } }))
      return speak(column, {
        text: 'Let me look.',
        reasoning: 'Two cities.',
        calls: column === 'roo-xml' ? calls.slice(0, 1) : calls,
      })
    }
    return speak(column, { text: JSON.stringify(body).includes('7 degrees') ? 'Drizzle.' : 'Nobody told me.' })
  }
}

function callsIn(response: OpenAI.Responses.Response): OpenAI.Responses.ResponseFunctionToolCall[] {
  return response.output.filter((item) => item.type === 'function_call')
}

function expectCalls(column: string, response: OpenAI.Responses.Response): void {
  expect(response.status).toBe('completed')
  expect(response.output_text).toMatch(/^Let me look\.\s*$/)
  const cities = callsIn(response).map((call) => JSON.parse(call.arguments))
  expect(cities).toEqual(column === 'roo-xml' ? [{ city: 'Oslo' }] : [{ city: 'Oslo' }, { city: 'Rome' }])
  expect(response.output[0]).toMatchObject({ type: 'reasoning', summary: [{ text: 'Two cities.' }] })
}

const resultsOf = (response: OpenAI.Responses.Response) =>
  callsIn(response).map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: '7 degrees' }))

describe.each(columns)('%s', (column) => {
  test('create, and on from the response before', async () => {
    actWeather(column)
    const { responses } = clientOf()
    const first = await responses.create({ model: column, input: 'Weather?', tools: [weather] })
    expectCalls(column, first)
    const input = resultsOf(first)
    const last = await responses.create({ model: column, previous_response_id: first.id, input, tools: [weather] })
    expect(last.output_text).toBe('Drizzle.')
    expect(last.usage?.total_tokens).toBe((last.usage?.input_tokens ?? 0) + (last.usage?.output_tokens ?? 0))
  })

  test('stream, with the whole conversation', async () => {
    actWeather(column)
    const { responses } = clientOf()
    const asked = { model: column, store: false, include: ['reasoning.encrypted_content' as const], tools: [weather] }
    const first = await responses.stream({ ...asked, input: 'Weather?' }).finalResponse()
    expectCalls(column, first)
    const input = [{ role: 'user' as const, content: 'Weather?' }, ...first.output, ...resultsOf(first)]
    const running = responses.stream({ ...asked, input: input as OpenAI.Responses.ResponseInput })
    let text = ''
    running.on('response.output_text.delta', ({ delta }) => {
      text += delta
    })
    expect((await running.finalResponse()).output_text).toBe('Drizzle.')
    expect(text).toBe('Drizzle.')
  })

  test('a custom tool gets its text as it is', async () => {
    script = () => speak(column, { calls: [{ name: 'apply_patch', arguments: { input: patchText } }] })
    const { responses } = clientOf()
    const asked = { model: column, input: 'Patch.', tools: [patch] }
    const item = { type: 'custom_tool_call', name: 'apply_patch', input: patchText }
    expect((await responses.create(asked)).output).toMatchObject([item])
    expect((await responses.stream(asked).finalResponse()).output).toMatchObject([item])
  })

  test('a call that is cut off is never closed', async () => {
    const calls = [{ name: 'get_weather', arguments: { city: 'Oslo on the fjord' } }]
    script = () => speak(column, { calls, cutBefore: 'fjord' })
    const { responses } = clientOf()
    const asked = { model: column, input: 'Weather?', tools: [weather] }
    for (const response of [await responses.create(asked), await responses.stream(asked).finalResponse()]) {
      expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
      expect(callsIn(response).every(({ status }) => status === 'incomplete')).toBe(true)
    }
  })

  test('parse', async () => {
    script = () => speak(column, { text: '{"city":"Oslo"}' })
    const format = {
      type: 'json_schema' as const,
      name: 'city',
      schema: weather.parameters as Record<string, unknown>,
      strict: true,
    }
    const parsed = await clientOf().responses.parse({ model: column, input: 'City?', text: { format } })
    expect(parsed.output_text).toBe('{"city":"Oslo"}')
  })
})

describe('what is kept', () => {
  test('is the client’s own: retrieved, listed, counted, deleted', async () => {
    script = () => answer({ text: 'Hello.' })
    const { responses } = clientOf()
    const made = await responses.create({ model: native, input: 'Hi.', metadata: { a: 'b' } })
    const { output_text: _, _request_id, ...bare } = made as typeof made & { _request_id?: string }
    expect(await responses.retrieve(made.id)).toMatchObject(bare)
    expect(await responses.cancel(made.id)).toMatchObject({ id: made.id, status: 'completed' })
    const items = await responses.inputItems.list(made.id)
    expect(items.data).toMatchObject([{ type: 'message', role: 'user', content: [{ text: 'Hi.' }] }])
    const bob = clientOf(gateway.origin, 'key-of-bob').responses
    await expect(bob.retrieve(made.id)).rejects.toMatchObject({ status: 404, code: 'response_not_found' })
    await expect(bob.create({ model: native, input: 'x', previous_response_id: made.id })).rejects.toMatchObject({
      status: 404,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    })
    await responses.delete(made.id)
    await expect(responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
    expect(await responses.inputTokens.count({ model: native, input: 'Hi.' })).toMatchObject({
      object: 'response.input_tokens',
      input_tokens: expect.any(Number),
    })
  })

  test('survives a change of the configuration', async () => {
    script = () => answer({ text: 'Hello.' })
    const { responses } = clientOf()
    const made = await responses.create({ model: native, input: 'Hi.' })
    gateway.write('dragoman.yaml', JSON.stringify(configFor(double.url, { limits: { body: '2mb' } })))
    await expect
      .poll(async () => (await post({ model: native, input: 'x'.repeat(1_500_000) })).status, { timeout: 10_000 })
      .toBe(200)
    expect((await responses.retrieve(made.id)).id).toBe(made.id)
    gateway.write('dragoman.yaml', JSON.stringify(configFor(double.url)))
    await expect
      .poll(async () => (await post({ model: native, input: 'x'.repeat(1_500_000) })).status, { timeout: 10_000 })
      .toBe(413)
  }, 30_000)

  test('in a Redis is known to every gateway, and to one that was started anew', async () => {
    need('redis-server')
    const redis = await startRedis()
    onTestFinished(() => redis.die())
    const config = configFor(double.url, { sessions: { store: redis.url, ttl: '5m' } })
    const [one, other] = await Promise.all([startGateway({ config }), startGateway({ config })])
    onTestFinished(async () => {
      await Promise.all([one.stop(), other.stop()])
    })
    actWeather(native)
    const first = await clientOf(one.origin)
      .responses.stream({ model: native, input: 'Weather?', tools: [weather] })
      .finalResponse()
    const asked = { model: native, previous_response_id: first.id, input: resultsOf(first), tools: [weather] }
    const last = await clientOf(other.origin).responses.create(asked)
    expect(last.output_text).toBe('Drizzle.')
    const looking = createClient({ url: redis.url })
    await looking.connect()
    const keys = await looking.keys('*')
    looking.destroy()
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((name) => !name.startsWith('dragoman:doors:') || name.includes(key))).toEqual([])
    await one.stop()
    const anew = await startGateway({ config })
    onTestFinished(() => anew.stop())
    expect((await clientOf(anew.origin).responses.retrieve(last.id)).output_text).toBe('Drizzle.')
    await redis.die()
    await expect(clientOf(anew.origin).responses.create(asked)).rejects.toMatchObject({
      code: 'previous_response_not_found',
    })
    script = () => answer({ text: 'Still here.' })
    const without = await clientOf(anew.origin).responses.create({ model: native, input: 'Hi.' })
    expect(without.output_text).toBe('Still here.')
  }, 60_000)
})

interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function post(
  body: unknown,
  more: { path?: string; method?: string; headers?: Record<string, string> } = {},
): Promise<Seen> {
  const { path = '/v1/responses', method = 'POST', headers = {} } = more
  const response = await fetch(`${gateway.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const ask = { model: native, input: 'Hi.' }

describe('what goes wrong', () => {
  test.each<[string, unknown, Parameters<typeof post>[1], number, string, string | null]>([
    ['broken JSON', '{', {}, 400, 'invalid_json', null],
    ['no input', { model: native }, {}, 400, 'missing_required_parameter', 'input'],
    ['a wrong key', ask, { headers: { authorization: 'Bearer wrong' } }, 401, 'invalid_api_key', null],
    ['an unknown model', { ...ask, model: 'nobody' }, {}, 404, 'model_not_found', 'model'],
    ['an unknown path', ask, { path: '/v1/responses/a/b/c' }, 404, 'unsupported_endpoint', null],
    ['compaction', ask, { path: '/v1/responses/compact' }, 404, 'unsupported_endpoint', null],
    [
      'an unknown response',
      undefined,
      { path: '/v1/responses/resp_x', method: 'GET' },
      404,
      'response_not_found',
      'response_id',
    ],
    ['another method', undefined, { method: 'GET' }, 405, 'method_not_allowed', null],
    ['a body too large', { ...ask, input: 'x'.repeat(2 << 20) }, {}, 413, 'body_too_large', null],
  ])('%s', async (_name, body, more, status, code, param) => {
    script = () => answer({ text: 'Hello.' })
    const seen = await post(body, more)
    expect(seen.status).toBe(status)
    const { error } = JSON.parse(seen.text)
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    expect(error).toMatchObject({ type: 'invalid_request_error', code, param })
    if (status === 405) expect(seen.headers.get('allow')).toBe('POST')
  })

  test.each<[string, Script, number, string]>([
    ['a limit', refusal(429, { error: { message: 'Slow.' } }, { 'retry-after': '3' }), 429, 'rate_limit_exceeded'],
    ['no credit', refusal(429, { error: { message: 'Pay.', code: 'insufficient_quota' } }), 429, 'insufficient_quota'],
    ['trouble', refusal(500, { error: { message: 'Oh.' } }), 502, 'upstream_error'],
  ])('%s before the first byte is a status', async (_name, answered, status, code) => {
    script = () => answered
    for (const stream of [false, true]) {
      const seen = await post({ ...ask, stream })
      expect(seen.status).toBe(status)
      expect(JSON.parse(seen.text).error.code).toBe(code)
      if (code === 'rate_limit_exceeded') expect(seen.headers.get('retry-after')).toBe('3')
    }
  })

  test('a conversation that is too long fails inside a stream, and is a status without one', async () => {
    const message = "This model's maximum context length is 10 tokens. However, your messages resulted in 20 tokens."
    script = () => refusal(400, { error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' } })
    const streamed = await post({ ...ask, stream: true })
    expect(streamed.status).toBe(200)
    expect(checkStream(streamed.text)).toMatchObject({ status: 'failed', error: { code: 'context_length_exceeded' } })
    const whole = await post(ask)
    expect(whole.status).toBe(400)
    expect(JSON.parse(whole.text).error.code).toBe('context_length_exceeded')
  })

  test('a service that dies in the middle is a failed response, never a finished one', async () => {
    script = () => {
      const whole = answer({
        text: ['Once ', 'upon'],
        calls: [{ name: 'get_weather', arguments: '{"city":' }],
        done: false,
        finish: null,
      })
      return ending(whole, 'drop')
    }
    const seen = await post({ ...ask, stream: true, tools: [weather] })
    expect(seen.status).toBe(200)
    expect(checkStream(seen.text)).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    expect((await post({ ...ask, tools: [weather] })).status).toBe(502)
  })

  test.each([false, true])('a client that goes away ends the asking (streaming: %s)', async (stream) => {
    const abort = new AbortController()
    script = () => (stream ? ending(answer({ text: 'Once', done: false, finish: null, usage: null }), 'hang') : silence)
    const before = double.requests.length
    const asked = fetch(`${gateway.origin}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ ...ask, stream }),
      signal: abort.signal,
    })
    if (stream) await (await asked).body?.getReader().read()
    await expect.poll(() => double.requests.length, { timeout: 5_000 }).toBe(before + 1)
    abort.abort()
    await asked.catch(() => undefined)
    expect(await double.requests.at(-1)?.over).toBe('aborted')
  })
})
