import { once } from 'node:events'
import { connect } from 'node:net'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openaiResponses } from '../../src/doors/openai-responses/door.ts'
import { answer, refusal, type Script, silence, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { native, speak } from '../doubles/speak.ts'
import { startGateway } from '../dragoman.ts'
import { checkStream } from './responses-checker.ts'
import { answerAt } from './visit.ts'

/** Responses over a WebSocket in the started program, as Codex and the official client speak them. */

const key = 'key-of-ada'
const models = [native, 'hermes']
let script: (body: Record<string, unknown>) => Script | Promise<Script> = () => answer({ text: 'Hello.' })
let double: Awaited<ReturnType<typeof startOpenAiDouble>>
let gateway: Awaited<ReturnType<typeof startGateway>>

beforeAll(async () => {
  double = await startOpenAiDouble({ models, respond: (body) => script(body) })
  gateway = await startGateway({
    config: {
      keys: [key, { key: 'key-of-bob', requests_per_minute: 1 }],
      upstreams: { service: { kind: 'openai', url: double.url } },
      models: {
        [native]: { upstream: 'service', tools: native },
        hermes: { upstream: 'service', tools: 'prompt', dialect: 'hermes' },
      },
      limits: { body: '1mb' },
    },
  })
}, 60_000)

afterAll(async () => {
  await gateway.stop()
  await double.close()
})

interface Told {
  readonly type: string
  readonly status?: number
  readonly stream_id?: string
  readonly headers?: Record<string, string>
  readonly error?: { readonly code: string; readonly message: string; readonly param: string | null }
  readonly response?: OpenAI.Responses.Response
}

const lastTypes = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error'])

/** A connection whose messages can be waited for. */
async function open(apiKey = key, headers: Record<string, string> = {}) {
  const url = `${gateway.origin.replace('http', 'ws')}/v1/responses`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}`, ...headers } })
  onTestFinished(() => socket.terminate())
  const told: Told[] = []
  let arrived: () => void = () => undefined
  socket.on('message', (data) => {
    told.push(JSON.parse(String(data)) as Told)
    arrived()
  })
  await once(socket, 'open')

  /** All that comes up to the end of an answer. */
  async function listen(stream?: string): Promise<readonly Told[]> {
    const isLast = (one: Told): boolean => lastTypes.has(one.type) && one.stream_id === stream
    while (!told.some(isLast)) {
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
    const mine = told.filter((one) => one.stream_id === stream)
    told.splice(0, told.length, ...told.filter((one) => one.stream_id !== stream))
    return mine
  }
  const send = (message: unknown): void => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  return {
    socket,
    send,
    listen,
    async ask(body: object): Promise<readonly Told[]> {
      send({ type: 'response.create', ...body })
      return await listen()
    },
  }
}

const lastOf = (told: readonly Told[]): OpenAI.Responses.Response => {
  const response = told.at(-1)?.response
  if (response === undefined) throw new Error(`no response: ${JSON.stringify(told.at(-1))}`)
  return response
}

const weather = {
  type: 'function',
  name: 'get_weather',
  strict: false,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

function actWeather(column: string): void {
  script = (body) =>
    JSON.stringify(body).includes('7 degrees')
      ? speak(column, { text: 'Drizzle.' })
      : speak(column, { text: 'Let me look.', calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] })
}

describe.each(models)('%s', (model) => {
  test('turns follow one another on a connection, each going on from the one before, with nothing stored', async () => {
    actWeather(model)
    const { ask } = await open()
    const first = await ask({ model, store: false, input: 'Weather?', tools: [weather] })
    checkStream(first.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    const called = lastOf(first).output.find((item) => item.type === 'function_call')
    expect(called).toMatchObject({ name: 'get_weather', arguments: '{"city":"Oslo"}' })
    const input = [{ type: 'function_call_output', call_id: called?.call_id, output: '7 degrees' }]
    const previous = lastOf(first).id
    const asked = { model, store: false, previous_response_id: previous, input, tools: [weather] }
    const last = lastOf(await ask(asked))
    expect(last).toMatchObject({ status: 'completed', previous_response_id: previous })
    expect(last.output.at(-1)).toMatchObject({ content: [{ text: 'Drizzle.' }] })
    // It was this connection's alone.
    const other = await open()
    expect((await other.ask(asked)).at(-1)).toMatchObject({
      type: 'error',
      status: 404,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    })
  })

  test('the official client speaks it', async () => {
    actWeather(model)
    const client = new OpenAI({ apiKey: key, baseURL: `${gateway.origin}/v1` })
    const socket = new ResponsesWS(client)
    onTestFinished(() => socket.close())
    const completed = new Promise<OpenAI.Responses.Response>((resolve, reject) => {
      socket.on('event', (event) => {
        if (event.type === 'response.completed') resolve(event.response)
      })
      socket.on('error', reject)
    })
    socket.send({ type: 'response.create', model, input: 'Weather?', tools: [{ ...weather, type: 'function' }] })
    expect((await completed).output.at(-1)).toMatchObject({ type: 'function_call', name: 'get_weather' })
  })
})

test('a conversation that is only prepared asks no model, and is gone on from', async () => {
  script = () => answer({ text: 'Hello.' })
  const { ask } = await open()
  const before = double.requests.length
  const prepared = await ask({ model: native, store: false, generate: false, instructions: 'Be brief.', input: 'Hi.' })
  expect(lastOf(prepared)).toMatchObject({ status: 'completed', output: [], usage: { total_tokens: 0 } })
  expect(double.requests.length).toBe(before)
  await ask({ model: native, store: false, previous_response_id: lastOf(prepared).id, input: 'Go on.' })
  expect(double.requests.at(-1)?.body).toMatchObject({
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'user', content: 'Go on.' },
    ],
  })
})

test('a connection may be prepared before anything is said: Codex does so for models that get their tools in the input', async () => {
  script = () => answer({ text: 'Hello.' })
  const { ask } = await open()
  const prepared = await ask({ model: native, store: false, generate: false, input: [], tools: [] })
  expect(lastOf(prepared)).toMatchObject({ status: 'completed', output: [] })
  const next = await ask({ model: native, store: false, previous_response_id: lastOf(prepared).id, input: 'Hi.' })
  expect(lastOf(next).status).toBe('completed')
})

test('streams of one connection run side by side, each event with its name', async () => {
  script = () => answer({ text: 'Hello.' })
  const { send, listen } = await open()
  for (const stream of ['a', 'b']) send({ type: 'response.create', stream_id: stream, model: native, input: 'Hi.' })
  for (const stream of ['b', 'a']) {
    const told = await listen(stream)
    expect(told.map(({ type }) => type)).toContain('response.output_text.delta')
    expect(lastOf(told).status).toBe('completed')
  }
})

test.each<[string, unknown, number, string]>([
  ['what is no JSON', 'hello', 400, 'invalid_json'],
  ['another kind of message', { type: 'response.steer' }, 400, 'invalid_value'],
  ['a request without a model', { type: 'response.create', input: 'Hi.' }, 400, 'missing_required_parameter'],
  ['a model that is not there', { type: 'response.create', model: 'nope', input: 'Hi.' }, 404, 'model_not_found'],
])('%s is an error event, and the connection goes on', async (_, message, status, code) => {
  script = () => answer({ text: 'Hello.' })
  const { send, listen, ask } = await open()
  send(message)
  expect((await listen()).at(-1)).toMatchObject({ type: 'error', status, error: { code } })
  expect(lastOf(await ask({ model: native, input: 'Hi.' })).status).toBe('completed')
})

test('a service that refuses is an error event with its status', async () => {
  script = () => refusal(429, { error: { message: 'Slow down.', code: 'rate_limit_exceeded' } })
  const { ask } = await open()
  expect((await ask({ model: native, input: 'Hi.' })).at(-1)).toMatchObject({ type: 'error', status: 429 })
})

test('the limits of a key hold for each turn', async () => {
  script = () => answer({ text: 'Hello.' })
  const { ask } = await open('key-of-bob')
  expect(lastOf(await ask({ model: native, input: 'Hi.' })).status).toBe('completed')
  const refused = (await ask({ model: native, input: 'Hi.' })).at(-1)
  expect(refused).toMatchObject({ type: 'error', status: 429, error: { code: 'rate_limit_exceeded' } })
  expect(Number(refused?.headers?.['retry-after'])).toBeGreaterThan(0)
})

test('a second turn while one is under way is refused', async () => {
  script = () => silence
  const { send, listen } = await open()
  send({ type: 'response.create', model: native, input: 'Hi.' })
  send({ type: 'response.create', model: native, input: 'Hi.' })
  expect((await listen()).at(-1)).toMatchObject({ type: 'error', status: 400, error: { code: 'invalid_request' } })
})

test('a client that goes takes the request to the service with it', async () => {
  script = () => silence
  const { send, socket } = await open()
  const before = double.requests.length
  send({ type: 'response.create', model: native, input: 'Hi.' })
  await expect.poll(() => double.requests.length).toBe(before + 1)
  socket.terminate()
  expect(await double.requests.at(-1)?.over).toBe('aborted')
})

test('a message larger than a body may be ends the connection', async () => {
  const { send, socket } = await open()
  const closed = once(socket, 'close')
  send({ type: 'response.create', model: native, input: 'x'.repeat(1_100_000) })
  expect((await closed)[0]).toBe(1009)
})

test('where there are no sockets it is refused at once, so that clients try HTTP', async () => {
  const refused = await answerAt(openaiResponses, 'GET', '/v1/responses')
  expect(refused.status).toBe(426)
})

/** How an upgrade is answered that is no WebSocket in the end. */
function statusOf(headers: Record<string, string>, path = '/v1/responses'): Promise<number> {
  const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}${path}`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('open', () => reject(new Error('It was let in.')))
    socket.on('error', reject)
  })
}

test.each<[string, Record<string, string>, number, string?]>([
  ['without a key', {}, 401],
  ['with a wrong key', { authorization: 'Bearer no' }, 401],
  ['from a web page', { authorization: `Bearer ${key}`, origin: 'https://evil.example' }, 403],
  ['under a name that is not ours', { authorization: `Bearer ${key}`, host: 'evil.example' }, 403],
  ['where there is none', { authorization: `Bearer ${key}` }, 404, '/v1/nothing'],
])('a WebSocket %s is refused', async (_, headers, status, path) => {
  expect(await statusOf(headers, path)).toBe(status)
})

test('an upgrade that is offered with a body, as Java clients do, is answered without it', async () => {
  script = () => answer({ text: 'Hello.' })
  const body = JSON.stringify({ model: native, input: 'Hi.' })
  const head = [
    'POST /v1/responses HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  let text = ''
  for await (const piece of socket.setEncoding('utf8')) {
    text += piece
    if (text.includes('Hello.')) break
  }
  expect(text).toMatch(/^HTTP\/1.1 200 OK/)
})

test('a gateway that closes lets a turn end, and says why the connection does', async () => {
  const own = await startGateway({
    config: {
      upstreams: { service: { kind: 'openai', url: double.url } },
      models: { [native]: { upstream: 'service' } },
    },
  })
  onTestFinished(own.stop)
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  script = async () => {
    await released
    return answer({ text: 'Hello.' })
  }
  const socket = new WebSocket(`${own.origin.replace('http', 'ws')}/v1/responses`)
  const idle = new WebSocket(`${own.origin.replace('http', 'ws')}/v1/responses`)
  await Promise.all([once(socket, 'open'), once(idle, 'open')])
  const types: string[] = []
  socket.on('message', (data) => types.push((JSON.parse(String(data)) as Told).type))
  const before = double.requests.length
  socket.send(JSON.stringify({ type: 'response.create', model: native, input: 'Hi.' }))
  await expect.poll(() => double.requests.length).toBe(before + 1)
  own.child.kill('SIGTERM')
  expect((await once(idle, 'close'))[0]).toBe(1001)
  expect(types).toEqual([])
  release()
  expect((await once(socket, 'close'))[0]).toBe(1001)
  expect(types.at(-1)).toBe('response.completed')
  expect((await own.outcome).code).toBe(0)
})
