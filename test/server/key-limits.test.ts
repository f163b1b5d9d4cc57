import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hashKey, type KeySettings } from '../../src/config/keys.ts'
import type { Event } from '../../src/protocol/event.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import type { Quotas } from '../../src/server/quota/quota.ts'
import { createQuotas } from '../../src/server/quota/redis.ts'
import type { TurnContext, Turns } from '../../src/turn/turn.ts'
import { need } from '../needs.ts'
import { startRedis } from '../qwen/redis-server.ts'
import {
  ask,
  batches,
  chat,
  createManualClock,
  type Running,
  run,
  say,
  scriptTurns,
  stop,
  untilAborted,
} from './scripted.ts'

const keyOf = (limits: Partial<KeySettings>, key = 'sk-alice'): KeySettings => ({
  name: 'alice',
  hash: hashKey(key),
  ...limits,
})

const usage = { type: 'usage', promptTokens: 20, completionTokens: 10 } as const
const short = () => scriptTurns(() => batches([say('hi'), usage, stop]))
const asAlice = { authorization: 'Bearer sk-alice' }

let running: Running[] = []

async function start(limits: Partial<KeySettings>, turns: Turns = short(), more: object = {}): Promise<Running> {
  const one = await run({ turns, keyring: createKeyring([keyOf(limits), 'sk-free']), ...more })
  running.push(one)
  return one
}

afterEach(async () => {
  await Promise.all(running.map(({ gateway }) => gateway.close()))
  running = []
})

test('a key that has asked too often is told when to come back, as OpenAI tells it', async () => {
  const clock = createManualClock()
  const { port, records } = await start({ requestsPerMinute: 2 }, short(), { clock })
  const first = await ask(port, { headers: asAlice })
  expect(first.status).toBe(200)
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit-requests': '2',
    'x-ratelimit-remaining-requests': '1',
    'x-ratelimit-reset-requests': '1m1s',
  })
  await ask(port, { headers: asAlice, body: { ...chat, stream: true } })
  const refused = await ask(port, { headers: asAlice })
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBe('61')
  expect(refused.headers['x-ratelimit-remaining-requests']).toBe('0')
  expect(refused.json.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' })
  expect(refused.json.error.message).toBe('Your API key is limited to 2 requests per minute. Please try again in 61 s.')
  expect((await ask(port, { headers: { authorization: 'Bearer sk-free' } })).status).toBe(200)
  clock.advance(61_000)
  expect((await ask(port, { headers: asAlice })).status).toBe(200)
  expect(records.map(({ key }) => key)).toEqual(['alice', 'alice', 'alice', 'key-2', 'alice'])
  expect(JSON.stringify(records)).not.toContain('sk-')
})

test('the tokens an answer really took are counted', async () => {
  const { port } = await start({ tokensPerMinute: 100 })
  const first = await ask(port, { headers: asAlice })
  expect(first.headers['x-ratelimit-limit-tokens']).toBe('100')
  const left: (string | string[] | undefined)[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const { status } = await ask(port, { headers: asAlice })
    left.push(String(status))
  }
  // 30 tokens each: the fourth began when 90 were taken, and its prompt still fitted.
  expect(left).toEqual(['200', '200', '200'])
  const refused = await ask(port, { headers: asAlice })
  expect([refused.status, refused.headers['x-ratelimit-remaining-tokens']]).toEqual([429, '0'])
})

test('an answer as long as it may get is held against the limit while it is under way', async () => {
  const turns = scriptTurns(({ signal }) => untilAborted(signal))
  const { port } = await start({ tokensPerMinute: 1000 }, turns)
  const held = request({
    port,
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { ...asAlice, 'content-type': 'application/json' },
  })
  held.on('error', () => undefined)
  held.end(JSON.stringify({ ...chat, max_tokens: 990 }))
  await expect.poll(() => turns.starts.length).toBe(1)
  expect((await ask(port, { headers: asAlice, body: { ...chat, max_tokens: 500 } })).status).toBe(429)
  held.destroy()
})

test.each([
  ['whole', false],
  ['streamed', true],
])('a place is free again when its client has gone, %s', async (_, stream) => {
  const turns = scriptTurns(async function* ({ signal }: TurnContext): AsyncGenerator<readonly Event[]> {
    yield [say('hi')]
    await untilAborted(signal)
  })
  const { port, gateway } = await start({ parallel: 1 }, turns)
  for (let nth = 0; nth < 3; nth += 1) {
    const held = request({
      port,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { ...asAlice, 'content-type': 'application/json' },
    })
    held.on('error', () => undefined)
    held.end(JSON.stringify({ ...chat, stream }))
    await expect.poll(() => turns.starts.length).toBe(nth + 1)
    const refused = await ask(port, { headers: asAlice })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    held.destroy()
    await expect.poll(() => gateway.underWay).toBe(0)
  }
})

describe('which models', () => {
  test.each([
    ['m', 200],
    ['qwen3-coder:30b', 200],
    ['gpt-x-mini', 200],
    ['gpt-mini-x', 403],
    ['M', 403],
    ['other', 403],
  ])('a key for m, qwen* and gpt*-mini may use %s: %d', async (model, status) => {
    const { port } = await start({ models: ['m', 'qwen*', 'gpt*-mini'] })
    const answer = await ask(port, { headers: asAlice, body: { ...chat, model } })
    expect(answer.status).toBe(status)
    if (status === 200) return
    expect(answer.json.error).toMatchObject({ code: 'model_not_allowed', param: 'model' })
    expect(answer.json.error.message).toContain('It may use: m, qwen*, gpt*-mini.')
  })

  test('the list shows only those', async () => {
    const { port } = await start({ models: ['none'] })
    const listed = async (key: string) =>
      (await ask(port, { method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${key}` } })).json.data
    expect(await listed('sk-alice')).toEqual([])
    expect(await listed('sk-free')).toHaveLength(1)
  })
})

test('a key opens nothing from the moment it expires', async () => {
  const clock = createManualClock()
  const { port } = await start({ expiresAt: clock.now() + 5000 }, short(), { clock })
  expect((await ask(port, { headers: asAlice })).status).toBe(200)
  clock.advance(5000)
  const refused = await ask(port, { headers: asAlice })
  expect([refused.status, refused.json.error.code]).toEqual([401, 'invalid_api_key'])
  expect(refused.json.error.message).toContain('This API key expired at 2023-11-14T22:13:25.000Z.')
})

describe('200 clients at once', () => {
  async function statuses(ports: readonly number[]): Promise<readonly [fine: number, refused: number]> {
    const all = await Promise.all(
      Array.from({ length: 200 }, async (_, nth) => {
        const seen: number[] = []
        for (let turn = 0; turn < 3; turn += 1) {
          seen.push((await ask(ports[nth % ports.length] ?? 0, { headers: asAlice })).status)
        }
        return seen
      }),
    )
    const flat = all.flat()
    return [flat.filter((status) => status === 200).length, flat.filter((status) => status === 429).length]
  }

  test('one gateway lets in exactly as many as allowed', async () => {
    const { port } = await start({ requestsPerMinute: 137 })
    expect(await statuses([port])).toEqual([137, 463])
  }, 30_000)

  describe('and two gateways over one Redis', () => {
    let redis: Awaited<ReturnType<typeof startRedis>>
    const opened: Quotas[] = []
    beforeAll(async () => {
      need('redis-server')
      redis = await startRedis()
    }, 150_000)
    afterAll(async () => {
      await Promise.all(opened.map((quotas) => quotas.close()))
      await redis.die()
    })

    function shared() {
      let nth = 0
      const name = Math.random().toString(36)
      const quotas = createQuotas({ store: redis.url, now: Date.now, createId: () => `${name}-${nth++}` })
      opened.push(quotas)
      return { quotas }
    }

    test('let in exactly as many together', async () => {
      const ports = await Promise.all(
        [0, 1].map(async () => (await start({ requestsPerMinute: 137 }, short(), shared())).port),
      )
      expect(await statuses(ports)).toEqual([137, 463])
    }, 30_000)

    test('answer exactly as many at a time together', async () => {
      let active = 0
      let most = 0
      const turns = scriptTurns(async function* (): AsyncGenerator<readonly Event[]> {
        active += 1
        most = Math.max(most, active)
        for (let nth = 0; nth < 20; nth += 1) await new Promise(setImmediate)
        active -= 1
        yield [say('hi'), stop]
      })
      const limits = { parallel: 7, hash: hashKey('sk-alice') }
      const ports = await Promise.all([0, 1].map(async () => (await start(limits, turns, shared())).port))
      const [fine, refused] = await statuses(ports)
      expect(fine + refused).toBe(600)
      expect(fine).toBeGreaterThanOrEqual(7)
      expect(most).toBeLessThanOrEqual(7)
    }, 30_000)
  })
})
