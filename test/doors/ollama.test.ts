import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import { answer, ending, type OpenAiDouble, refusal, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { cutAtRandom } from '../doubles/text-model.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import {
  type Asked,
  ask,
  batches,
  type Running,
  run,
  say,
  scriptTurns,
  stop,
  untilAborted,
} from '../server/scripted.ts'
import { createScripted, says, turnsOver } from '../turn/scripted.ts'
import { checkBody, checkError, checkLines } from './ollama-checker.ts'

/** The whole program behind Ollama's door. Every byte it sends is checked. */

const parameters = { properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'Weather of a city', parameters } }]
const question = [{ role: 'user', content: 'How is the weather in Oslo and in Rome?' }]
const weather = '7 degrees, drizzle'
const cities = ['Oslo', 'Rome']

const hermes = (city: string) => `<tool_call>\n{"name": "get_weather", "arguments": {"city": "${city}"}}\n</tool_call>`
const said = `Looking.\n${cities.map(hermes).join('\n')}`

interface Told {
  readonly message: { content: string; thinking?: string; tool_calls?: Call[] }
  readonly done_reason: string
  readonly prompt_eval_count: number
  readonly eval_count: number
}

interface Call {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: object }
}

/** One exchange, checked, whichever way it was told. */
async function chat(port: number, body: object, stream: boolean): Promise<Told> {
  const { status, text, headers } = await ask(port, { path: '/api/chat', body: { ...body, stream } })
  expect(status, text).toBe(200)
  expect(headers['content-type']).toMatch(stream ? /^application\/x-ndjson/ : /^application\/json/)
  expect(stream ? checkLines(text) : checkBody(text)).toEqual([])
  const lines: Told[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const calls = lines.flatMap(({ message }) => message.tool_calls ?? [])
  return {
    ...(lines.at(-1) as Told),
    message: {
      content: lines.map(({ message }) => message.content).join(''),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  }
}

/** How clients tell results: with the id, with the name, with neither. */
const manners = {
  id: ({ id }: Call) => ({ tool_call_id: id }),
  name: ({ function: { name } }: Call) => ({ tool_name: name }),
  neither: () => ({}),
}

describe('a task of two steps', () => {
  let double: OpenAiDouble
  let gateway: RunningGateway
  const port = () => Number(new URL(gateway.origin).port)

  beforeAll(async () => {
    double = await startOpenAiDouble({
      models: ['hermes'],
      respond(body, _headers, index) {
        const { messages, tools: offered } = body as { messages: object[]; tools?: unknown }
        if (JSON.stringify(messages).includes(weather)) return answer({ text: ['It is ', `${weather}.`] })
        if (offered === undefined) return answer({ text: cutAtRandom(said, index) })
        const calls = cities.map((city) => ({ name: 'get_weather', arguments: ['{"city":', `"${city}"}`] }))
        return answer({ text: 'Looking.', calls })
      },
    })
    gateway = await startGateway({
      config: {
        upstreams: { service: { kind: 'openai', url: double.url } },
        models: {
          hermes: { upstream: 'service', tools: 'prompt', dialect: 'hermes' },
          native: { upstream: 'service', model: 'hermes', tools: 'native' },
        },
      },
    })
  }, 30_000)
  afterAll(async () => {
    await gateway.stop()
    await double.close()
  })

  /** That every dialect is read and told is in same-task.test.ts. */
  const cells = ['hermes', 'native'].flatMap((model) =>
    [true, false].flatMap((stream) => Object.keys(manners).map((manner) => [model, stream, manner] as const)),
  )

  test.each(cells)('%s, streamed: %s, results told by %s', async (model, stream, manner) => {
    const body = { model: `${model}:latest`, messages: question, tools }
    const first = await chat(port(), body, stream)
    const calls = first.message.tool_calls ?? []
    expect(first.message.content.trim()).toBe('Looking.')
    expect(calls.map(({ function: made }) => [made.name, made.arguments])).toEqual(
      cities.map((city) => ['get_weather', { city }]),
    )
    expect(first).toMatchObject({ model: `${model}:latest`, done_reason: 'stop', prompt_eval_count: 7, eval_count: 5 })
    const results = calls.map((call) => ({
      role: 'tool',
      content: weather,
      ...manners[manner as keyof typeof manners](call),
    }))
    const told = [...question, { role: 'assistant', ...first.message }, ...results]
    const last = await chat(port(), { ...body, messages: told }, stream)
    expect(last.message).toEqual({ content: `It is ${weather}.` })
  })

  test('the tag that says nothing is taken off at every door', async () => {
    const body = { model: 'hermes:latest', messages: question, tools }
    const { status, json } = await ask(port(), { body })
    expect({ status, calls: json.choices[0].message.tool_calls.length }).toEqual({ status: 200, calls: 2 })
  })

  test('generate, streamed and not', async () => {
    for (const stream of [true, false]) {
      const body = { model: 'hermes', prompt: weather, stream }
      const { text } = await ask(port(), { path: '/api/generate', body })
      expect(stream ? checkLines(text, 'generate') : checkBody(text, 'generate')).toEqual([])
      expect(text).toContain('"done_reason":"stop"')
    }
  })

  test('its models are listed, shown, loaded and fetched', async () => {
    const { json: tags } = await ask(port(), { method: 'GET', path: '/api/tags' })
    const names = tags.models.map(({ name }: { name: string }) => name)
    expect(names).toContain('hermes:latest')
    for (const model of names) {
      const shown = await ask(port(), { path: '/api/show', body: { model } })
      expect(shown).toMatchObject({ status: 200, json: { capabilities: expect.arrayContaining(['tools']) } })
      expect((await ask(port(), { path: '/api/pull', body: { model } })).text).toBe('{"status":"success"}\n')
      const loaded = await ask(port(), { path: '/api/chat', body: { model } })
      expect(checkLines(loaded.text)).toEqual([])
    }
  })

  test('its clients find it running, and others find the page', async () => {
    const root = (agent: string, method = 'GET') => ask(port(), { method, path: '/', headers: { 'user-agent': agent } })
    expect((await root('ollama-js/0.6.4')).text).toBe('Ollama is running')
    expect(await root('ollama/0.33.0', 'HEAD')).toMatchObject({ status: 200, text: '' })
    expect((await root('curl/8.5.0')).text).toContain('/v1')
  })
})

const bodyOf = (stream: boolean) => ({ model: 'm', messages: question, tools, stream })

describe('what goes wrong', () => {
  let running: Running
  afterEach(() => running.gateway.close())

  const failing = (code: GatewayError['code'], message: string) =>
    scriptTurns(() => Promise.reject(new GatewayError(code, message)))
  const fine = scriptTurns(() => batches([say('Hi'), stop]))

  test.each<[string, Asked, number, RegExp]>([
    ['a body that is no JSON', { path: '/api/chat', body: '{' }, 400, /JSON/],
    ['a body that is no object', { path: '/api/chat', body: [] }, 400, /object/],
    ['no model', { path: '/api/generate', body: { prompt: 'Hi' } }, 400, /model/],
    [
      'a type we do not take',
      { path: '/api/chat', body: {}, headers: { 'content-type': 'text/xml', 'sec-fetch-mode': 'cors' } },
      415,
      /JSON/,
    ],
    ['a path that is not there', { path: '/api/blobs/sha256:0', body: {} }, 404, /./],
    ['a model to make', { path: '/api/create', body: { model: 'x' } }, 404, /./],
    ['a model to delete', { method: 'DELETE', path: '/api/delete' }, 404, /./],
    ['the wrong method', { method: 'GET', path: '/api/chat' }, 405, /POST/],
    ['embeddings', { path: '/api/embed', body: { model: 'm', input: ['a'] } }, 404, /^embeddings are not served here$/],
    [
      'too large a body',
      { path: '/api/chat', body: { model: 'm', messages: [{ content: 'x'.repeat(3000) }] } },
      413,
      /./,
    ],
  ])('%s is refused in its envelope', async (_, asked, status, words) => {
    running = await run({ turns: fine, limits: { bodyBytes: 2000 } })
    const got = await ask(running.port, asked)
    expect(got.status, got.text).toBe(status)
    expect(checkError(status, got.text)).toEqual([])
    expect(got.json.error).toMatch(words)
    expect(got.headers['content-type']).toMatch(/^application\/json/)
  })

  test('a missing key, a wrong one, and the right one', async () => {
    running = await run({ turns: fine, keyring: createKeyring(['k']) })
    const at = (headers: Record<string, string>) =>
      ask(running.port, { path: '/api/chat', body: bodyOf(false), headers })
    for (const headers of [{}, { authorization: 'Bearer no' }]) {
      const got = await at(headers as Record<string, string>)
      expect({ status: got.status, text: got.text }).toEqual({ status: 401, text: '{"error":"unauthorized"}' })
    }
    expect((await at({ authorization: 'Bearer k' })).status).toBe(200)
  })

  test.each<[GatewayError['code'], string, number, string]>([
    ['model_not_found', "The model 'm' does not exist.", 404, "model 'm' not found."],
    ['context_length_exceeded', 'The prompt is too long.', 400, 'The prompt is too long.'],
    ['rate_limit_exceeded', 'Slow down.', 429, 'Slow down.'],
    ['internal_error', 'Broken.', 500, 'Broken.'],
    ['upstream_unreachable', 'Nobody there.', 502, 'Nobody there.'],
    ['upstream_overloaded', 'Busy.', 503, 'Busy.'],
  ])('%s keeps its status, streamed or not', async (code, message, status, words) => {
    running = await run({ turns: failing(code, message) })
    for (const stream of [true, false]) {
      const got = await ask(running.port, { path: '/api/chat', body: bodyOf(stream) })
      expect({ status: got.status, text: got.text }).toEqual({ status, text: JSON.stringify({ error: words }) })
      expect(checkError(status, got.text)).toEqual([])
    }
  })

  test('an end without a finish is an error, in a line once something was said', async () => {
    running = await run({ turns: scriptTurns(() => batches([say('half')])) })
    const whole = await ask(running.port, { path: '/api/chat', body: bodyOf(false) })
    expect({ status: whole.status, wrong: checkError(502, whole.text) }).toEqual({ status: 502, wrong: [] })
    const streamed = await ask(running.port, { path: '/api/chat', body: bodyOf(true) })
    expect(checkLines(streamed.text)).toEqual([])
    expect(streamed.text).toMatch(/"half"[^\n]*\n\{"error":"[^"]+"\}\n$/)
  })

  test('a call that was begun is not told when the service dies', async () => {
    const begun: Event[] = [
      say('Looking.'),
      { type: 'call-start', index: 0, id: 'call_1', name: 'get_weather' },
      { type: 'call-delta', index: 0, json: '{"city":"Oslo"}' },
    ]
    running = await run({
      turns: scriptTurns(async function* () {
        yield begun
        throw new GatewayError('upstream_unreachable', 'gone')
      }),
    })
    const { text } = await ask(running.port, { path: '/api/chat', body: bodyOf(true) })
    expect(checkLines(text)).toEqual([])
    expect(text).not.toContain('tool_calls')
    expect(text.endsWith('{"error":"gone"}\n')).toBe(true)
  })

  test('a history that does not add up is healed, and the log says so', async () => {
    running = await run({ turns: turnsOver(createScripted([says('Hi')])) })
    const logged = running.nextRecord()
    const messages = [...question, { role: 'tool', content: 'what?' }]
    const { status } = await ask(running.port, { path: '/api/chat', body: { model: 'model', messages, stream: false } })
    expect(status).toBe(200)
    expect((await logged).notes).toContain('history_healed;why="unknown_tool_call_id"')
  })

  test.each([true, false])('a client that goes away ends the turn (streamed: %s)', async (stream) => {
    let aborted: (() => void) | undefined
    const gone = new Promise<void>((resolve) => (aborted = resolve))
    running = await run({
      turns: scriptTurns(async function* ({ signal }) {
        signal.addEventListener('abort', () => aborted?.(), { once: true })
        yield [say('Hi')]
        await untilAborted(signal)
      }),
    })
    const leaving = new AbortController()
    const asked = fetch(`http://127.0.0.1:${running.port}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(stream)),
      signal: leaving.signal,
    })
    if (stream) await (await asked).body?.getReader().read()
    else while (running.gateway.underWay === 0) await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    await Promise.all([gone, asked.catch(() => undefined)])
  })
})

describe('a service that fails, through the whole program', () => {
  let double: OpenAiDouble
  let gateway: RunningGateway
  let script = answer({ text: 'Hi' })
  const port = () => Number(new URL(gateway.origin).port)

  beforeAll(async () => {
    double = await startOpenAiDouble({ models: ['m'], respond: () => script })
    gateway = await startGateway({
      config: {
        upstreams: { service: { kind: 'openai', url: double.url } },
        models: { m: { tools: 'prompt', dialect: 'hermes' } },
      },
    })
  }, 30_000)
  afterAll(async () => {
    await gateway.stop()
    await double.close()
  })

  test('a call that is cut off by the limit is text', async () => {
    const cut = `Looking.\n${hermes('Oslo').slice(0, -20)}`
    script = answer({ text: [cut.slice(0, 30), cut.slice(30)], finish: 'length' })
    for (const stream of [true, false]) {
      const { message, done_reason } = await chat(port(), bodyOf(stream), stream)
      expect(done_reason).toBe('length')
      expect(message.tool_calls).toBeUndefined()
      expect(message.content).toBe(cut)
    }
  })

  test('its refusal keeps its status', async () => {
    script = refusal(429, { error: { message: 'slow down', type: 'rate_limit_error' } })
    const { status, text } = await ask(port(), { path: '/api/chat', body: bodyOf(true) })
    expect(status).toBe(429)
    expect(checkError(status, text)).toEqual([])
  })

  test('a connection it drops is told in a line', async () => {
    script = ending(answer({ text: 'Hi', finish: null, usage: null, done: false }), 'drop')
    const { status, text } = await ask(port(), { path: '/api/chat', body: { ...bodyOf(true), tools: [] } })
    expect(status).toBe(200)
    expect(checkLines(text)).toEqual([])
    expect(text).toMatch(/\n\{"error":"[^"]+"\}\n$/)
  })

  test('a tool that is none is left out, and the answer says so', async () => {
    script = answer({ text: 'Hi' })
    const body = { ...bodyOf(false), tools: [...tools, { type: 'web_search' }] }
    const { status, headers } = await ask(port(), { path: '/api/chat', body })
    expect({ status, notice: headers['x-dragoman-notice'] }).toMatchObject({ status: 200 })
    expect(headers['x-dragoman-notice']).toContain('tools[1]')
  })
})
