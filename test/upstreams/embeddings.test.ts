import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { hashKey } from '../../src/config/keys.ts'
import { createRandomId } from '../../src/random-id.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import type { GatewayOptions } from '../../src/server/gateway-options.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { gated } from '../../src/upstreams/gate.ts'
import type { OpenAiOptions } from '../../src/upstreams/openai/openai.ts'
import type { Upstream } from '../../src/upstreams/upstream.ts'
import { json, refusal, type Script, silence } from '../doubles/openai-compat.ts'
import { startBoth } from '../doubles/openai-upstream.ts'
import { ask, run } from '../server/scripted.ts'

type Body = Readonly<Record<string, unknown>>

/** A vector that tells its text: how long it is, and where it stood. */
const vectorOf = (input: unknown, index: number): readonly number[] => [String(input).length, index / 8, -0.25]

/** As services answer, but out of order, which they may. */
function embed({ input }: Body): object {
  const inputs = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]
  const data = inputs.map((one, index) => ({ object: 'embedding', index, embedding: vectorOf(one, index) }))
  return { object: 'list', data: data.reverse(), usage: { prompt_tokens: 7, total_tokens: 7 } }
}

interface Stage {
  readonly options?: Partial<OpenAiOptions>
  readonly gateway?: Partial<GatewayOptions>
  around?(upstream: Upstream): Upstream
}

async function start(answer: Script | ((body: Body) => object), { options, gateway, around }: Stage = {}) {
  const bodies: Body[] = []
  const { upstream } = await startBoth([], options, ['vectors'], {
    '/v1/embeddings': (body: Body) => {
      bodies.push(body)
      return typeof answer === 'function' ? answer(body) : answer
    },
  })
  const turns = createTurns({
    upstreams: new Map([['local', around?.(upstream) ?? upstream]]),
    models: [{ ...defaultSettings('own', ['local']), model: 'vectors' }],
    newId: () => createRandomId('call_'),
  })
  const running = await run({ turns, ...gateway })
  onTestFinished(() => running.gateway.close())
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(running.port, { path, headers, body: { model: 'vectors', ...body } })
  return { ...running, bodies, post }
}

const notServed = 'embeddings are not served here'

test.each(['float', 'base64', undefined] as const)('the openai client gets its vectors (%s)', async (form) => {
  const { port, bodies } = await start(embed)
  const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none', maxRetries: 0 })
  const { data, model, usage } = await client.embeddings.create({
    model: 'own',
    input: ['a', 'bcd'],
    dimensions: 3,
    ...(form !== undefined && { encoding_format: form }),
  })
  const bytes = (vector: readonly number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64')
  const expected = ['a', 'bcd'].map(vectorOf)
  expect(data.map(({ embedding }) => embedding)).toEqual(form === 'base64' ? expected.map(bytes) : expected)
  expect(data.map(({ index }) => index)).toEqual([0, 1])
  expect({ model, usage }).toEqual({ model: 'own', usage: { prompt_tokens: 7, total_tokens: 7 } })
  expect(bodies).toEqual([{ model: 'vectors', input: ['a', 'bcd'], encoding_format: 'float', dimensions: 3 }])
})

test.each([
  ['a text', 'abc', 'abc'],
  ['tokens', [1, 2, 3], [1, 2, 3]],
  ['lists of tokens', [[1], [2, 3]], [[1], [2, 3]]],
])('%s goes to the service as it came', async (_, input, sent) => {
  const { post, bodies } = await start(embed)
  const { status, json: said } = await post('/v1/embeddings', { input })
  expect(status).toBe(200)
  expect(said.data).toHaveLength(Array.isArray(input) && Array.isArray(input[0]) ? 2 : 1)
  expect(bodies[0]?.['input']).toEqual(sent)
})

test('the clients of Ollama get theirs in both of its forms', async () => {
  const { post } = await start(embed)
  expect((await post('/api/embed', { input: ['a', 'bcd'], truncate: true, keep_alive: '5m' })).json).toEqual({
    model: 'vectors',
    embeddings: ['a', 'bcd'].map(vectorOf),
    total_duration: expect.any(Number),
    load_duration: 0,
    prompt_eval_count: 7,
  })
  expect((await post('/api/embed', { model: 'vectors:latest', input: 'abc' })).json.embeddings).toEqual([
    vectorOf('abc', 0),
  ])
  expect((await post('/api/embeddings', { prompt: 'abc' })).json).toEqual({ embedding: vectorOf('abc', 0) })
  expect((await post('/api/embeddings', { input: 'abc' })).json).toEqual({ embedding: vectorOf('abc', 0) })
})

test('a client of Ollama that only wants the model loaded asks the service nothing', async () => {
  const { post, bodies } = await start(embed)
  expect((await post('/api/embed', {})).json.embeddings).toEqual([])
  expect((await post('/api/embed', { input: [] })).json.embeddings).toEqual([])
  expect((await post('/api/embeddings', { prompt: '' })).json).toEqual({ embedding: [] })
  expect((await post('/api/embed', { model: 'nobody' })).status).toBe(404)
  expect(bodies).toEqual([])
})

test.each([
  ['has no such address', refusal(404, { detail: 'Not Found' })],
  ['does not take it there', refusal(405, 'Method Not Allowed')],
  [
    'was not started for it (llama.cpp)',
    refusal(501, {
      error: { code: 501, message: 'This server does not support embeddings. Start it with `--embeddings`' },
    }),
  ],
  [
    'has a model that cannot (vLLM)',
    refusal(400, { error: { message: 'The model does not support Embeddings API', type: 'BadRequestError' } }),
  ],
])('a service that %s serves none', async (_, script) => {
  const { post } = await start(script)
  const ollama = await post('/api/embed', { input: 'a' })
  expect({ status: ollama.status, body: ollama.json }).toEqual({ status: 404, body: { error: notServed } })
  const openai = await post('/v1/embeddings', { input: 'a' })
  expect(openai.status).toBe(404)
  expect(openai.json.error).toMatchObject({ message: notServed, type: 'invalid_request_error' })
})

test('of several services the one that has them is found', async () => {
  const { upstream: without } = await startBoth([], { name: 'without' }, ['vectors'])
  const { upstream: having } = await startBoth([], { name: 'having' }, ['vectors'], { '/v1/embeddings': embed })
  const turns = createTurns({
    upstreams: new Map([without, having].map((upstream) => [upstream.name, upstream])),
    models: [{ ...defaultSettings('vectors', ['without', 'having']), model: 'vectors' }],
    newId: () => createRandomId('call_'),
  })
  const { gateway, port } = await run({ turns })
  onTestFinished(() => gateway.close())
  const { status, json: said } = await ask(port, { path: '/api/embed', body: { model: 'vectors', input: 'abc' } })
  expect({ status, embeddings: said.embeddings }).toEqual({ status: 200, embeddings: [vectorOf('abc', 0)] })
})

test('a kind of service that has none is not asked', async () => {
  const { post, bodies } = await start(embed, {
    around: ({ embed: _, ...upstream }) => upstream,
  })
  const asked: readonly (readonly [string, object])[] = [
    ['/api/embed', { input: 'a' }],
    ['/api/embed', {}],
    ['/api/embeddings', { prompt: 'a' }],
  ]
  for (const [path, body] of asked) expect((await post(path, body)).json).toEqual({ error: notServed })
  expect(bodies).toEqual([])
})

test.each([
  ['a key that is refused', refusal(401, { error: { message: 'Incorrect API key provided: sk-SECRET' } }), 401],
  ['a model that is not there', refusal(404, { error: { message: 'model "vectors" not found, try pulling it' } }), 404],
  ['trouble of its own', refusal(500, { error: { message: 'out of memory' } }), 502],
  ['an error with the status of an answer', json({ error: { message: 'out of memory' } }), 502],
  ['too few vectors', json({ data: [{ index: 0, embedding: [1] }] }), 502],
  ['vectors of something else', json({ data: ['a', 'b'].map((embedding, index) => ({ index, embedding })) }), 502],
  ['the same vector twice', json({ data: [0, 0].map((index) => ({ index, embedding: [1] })) }), 502],
  ['no JSON', { ...json({}), writes: ['<html>'] }, 502],
])('%s is told as what it is', async (_, script, status) => {
  const { post } = await start(script, { options: { key: 'sk-SECRET' } })
  const got = await post('/v1/embeddings', { input: ['a', 'b'] })
  expect(got.status, got.text).toBe(status)
  expect(got.json.error.message).not.toBe(notServed)
  expect(got.text).not.toContain('SECRET')
})

test('a service that says nothing is not waited for for ever', async () => {
  const { post } = await start(silence, {
    options: { timeouts: { connectMs: 2000, firstEventMs: 50, idleMs: 50, totalMs: 10_000 } },
  })
  expect((await post('/api/embed', { input: 'a' })).status).toBe(504)
})

test('more than an answer may be is refused', async () => {
  const { post } = await start(embed, { options: { limits: { answerBytes: 40 } } })
  expect((await post('/v1/embeddings', { input: ['a', 'b'] })).json.error.message).toContain('limits.answer')
})

test.each([
  [{}, /'input'/],
  [{ input: '' }, /'input'/],
  [{ input: [] }, /'input'/],
  [{ input: ['a', ''] }, /'input\[1\]'/],
  [{ input: ['a', 1] }, /'input\[1\]'/],
  [{ input: { text: 'a' } }, /'input'/],
  [{ input: 'a', dimensions: 0 }, /'dimensions'/],
  [{ input: 'a', encoding_format: 'hex' }, /'float' and 'base64'/],
  [{ input: 'a', model: '' }, /'model'/],
])('bad input is refused by name: %j', async (body, words) => {
  const { post, bodies } = await start(embed)
  const { status, json: said } = await post('/v1/embeddings', body)
  expect(status).toBe(400)
  expect(said.error.message).toMatch(words)
  expect(bodies).toEqual([])
})

test('more texts than a service takes at once are refused', async () => {
  const { post } = await start(embed)
  const { status, json: said } = await post('/v1/embeddings', { input: Array.from({ length: 2049 }, () => 'a') })
  expect(status).toBe(400)
  expect(said.error).toMatchObject({ code: 'array_above_max_length', param: 'input' })
})

test('what a key may do counts here, too', async () => {
  const key = { name: 'alice', hash: hashKey('sk-alice'), requestsPerMinute: 1, models: ['vectors'] }
  const { post, records } = await start(embed, { gateway: { keyring: createKeyring([key]) } })
  const asAlice = { authorization: 'Bearer sk-alice' }
  expect((await post('/v1/embeddings', { input: 'a' })).status).toBe(401)
  expect((await post('/v1/embeddings', { input: 'a', model: 'own' }, asAlice)).status).toBe(403)
  expect((await post('/v1/embeddings', { input: 'a' }, asAlice)).status).toBe(200)
  expect((await post('/api/embed', { input: 'a' }, asAlice)).status).toBe(429)
  expect(records.find(({ status }) => status === 200)).toMatchObject({ model: 'vectors', promptTokens: 7 })
})

test('it waits in the same line as answers do', async () => {
  const free = Promise.withResolvers<void>()
  let inside = 0
  let most = 0
  const { post } = await start(embed, {
    around: (upstream) =>
      gated(
        {
          ...upstream,
          embed: async ({ inputs }) => {
            most = Math.max(most, ++inside)
            await free.promise
            inside -= 1
            return { vectors: inputs.map(() => [1]) }
          },
        },
        { concurrency: 1, queue: 1 },
      ),
  })
  const all = [1, 2, 3].map(() => post('/v1/embeddings', { input: 'a' }))
  expect((await Promise.race(all)).status).toBe(429)
  free.resolve()
  expect((await Promise.all(all)).map(({ status }) => status).sort()).toEqual([200, 200, 429])
  expect(most).toBe(1)
})
