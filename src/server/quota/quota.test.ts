import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { need } from '../../../test/needs.ts'
import { startRedis } from '../../../test/qwen/redis-server.ts'
import { createMemoryQuotas } from './memory.ts'
import { type Allowance, printSpan, type Quotas, toHeaders } from './quota.ts'
import { createRedisQuotas } from './redis.ts'

const minute = 60_000

function memory() {
  let now = 1_700_000_000_500
  const quotas = createMemoryQuotas(() => now)
  return { quotas, pass: (ms: number) => (now += ms) }
}

async function admitted(quotas: Quotas, count: number, allowance: Allowance, tokens = 0, key = 'k'): Promise<number> {
  const all = await Promise.all(Array.from({ length: count }, () => quotas.admit(key, allowance, tokens)))
  return all.filter(({ lease }) => lease !== undefined).length
}

describe('in memory', () => {
  test('in any minute no more requests come in than allowed, wherever the minute begins', async () => {
    const { quotas, pass } = memory()
    const times: number[] = []
    let now = 0
    for (let step = 0; step < 4000; step += 1) {
      const { lease } = await quotas.admit('k', { requestsPerMinute: 50 }, 0)
      if (lease !== undefined) times.push(now)
      const ms = (step * 7919) % 331
      pass(ms)
      now += ms
    }
    for (const from of times) {
      expect(times.filter((time) => time >= from && time < from + minute).length).toBeLessThanOrEqual(50)
    }
    expect(times.length).toBeGreaterThan(50 * Math.floor(now / (minute + 1000)) - 1)
  })

  test('a refusal says how long to wait, and after that the request comes in', async () => {
    const { quotas, pass } = memory()
    await admitted(quotas, 3, { requestsPerMinute: 5 })
    pass(10_000)
    await admitted(quotas, 2, { requestsPerMinute: 5 })
    const refused = await quotas.admit('k', { requestsPerMinute: 5 }, 0)
    if (refused.lease !== undefined) throw new Error('it came in')
    expect(refused).toMatchObject({ measure: 'requests', standing: { requests: { limit: 5, remaining: 0 } } })
    pass(refused.waitMs - 1)
    expect(await admitted(quotas, 9, { requestsPerMinute: 5 })).toBe(0)
    pass(1)
    expect(await admitted(quotas, 9, { requestsPerMinute: 5 })).toBe(3)
  })

  test('tokens are taken at once and put right when the answer is over', async () => {
    const { quotas } = memory()
    const allowance = { tokensPerMinute: 100 }
    const first = await quotas.admit('k', allowance, 60)
    expect((await quotas.admit('k', allowance, 60)).lease).toBeUndefined()
    first.lease?.release(10)
    first.lease?.release(10)
    const second = await quotas.admit('k', allowance, 60)
    expect(second.standing.tokens).toMatchObject({ limit: 100, remaining: 30 })
    second.lease?.release(95)
    const { measure } = { measure: undefined, ...(await quotas.admit('k', allowance, 0)) }
    expect(measure).toBe('tokens')
  })

  test('a request larger than the limit may come when nothing else did', async () => {
    const { quotas } = memory()
    expect(await admitted(quotas, 2, { tokensPerMinute: 100 }, 1_000_000)).toBe(1)
  })

  test('so many at the same time, and another when one is over', async () => {
    const { quotas } = memory()
    const one = await quotas.admit('k', { parallel: 2 }, 0)
    expect(await admitted(quotas, 5, { parallel: 2 })).toBe(1)
    one.lease?.release()
    expect(await admitted(quotas, 5, { parallel: 2 })).toBe(1)
  })

  test('keys do not count for each other', async () => {
    const { quotas } = memory()
    expect(await admitted(quotas, 5, { requestsPerMinute: 2 }, 0, 'a')).toBe(2)
    expect(await admitted(quotas, 5, { requestsPerMinute: 2 }, 0, 'b')).toBe(2)
  })
})

describe('in a Redis that two gateways share', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let pair: readonly Quotas[]
  const told: string[] = []
  let ids = 0

  beforeAll(async () => {
    need('redis-server')
    redis = await startRedis()
    pair = [0, 1].map(() =>
      createRedisQuotas({
        url: redis.url,
        alone: createMemoryQuotas(Date.now),
        createId: () => `id${ids++}`,
        onChange: (state) => told.push(state),
      }),
    )
  }, 150_000)
  afterAll(async () => {
    await Promise.all(pair.map((quotas) => quotas.close()))
    await redis.die()
  })

  async function both(count: number, allowance: Allowance, tokens: number, key: string): Promise<number> {
    const counts = await Promise.all(pair.map((quotas) => admitted(quotas, count, allowance, tokens, key)))
    return counts.reduce((sum, each) => sum + each, 0)
  }

  test('together they let in exactly as many requests as one would', async () => {
    expect(await both(100, { requestsPerMinute: 37 }, 0, 'requests')).toBe(37)
  })

  test('together they give out exactly as many tokens as one would', async () => {
    expect(await both(100, { tokensPerMinute: 1000 }, 100, 'tokens')).toBe(10)
  })

  test('what is over is free for the other', async () => {
    const [first, second] = pair
    const leases = await Promise.all(Array.from({ length: 9 }, () => first?.admit('active', { parallel: 9 }, 0)))
    expect((await second?.admit('active', { parallel: 9 }, 0))?.lease).toBeUndefined()
    leases[0]?.lease?.release()
    // The same connection: what was sent before is done before.
    await first?.admit('other', { parallel: 1 }, 0)
    expect((await second?.admit('active', { parallel: 9 }, 0))?.lease).toBeDefined()
  })

  test('an answer that took less gives the rest back', async () => {
    const [first, second] = pair
    const { lease } = (await first?.admit('back', { tokensPerMinute: 100 }, 100)) ?? {}
    lease?.release(30)
    await first?.admit('other', { parallel: 1 }, 0)
    const { standing } = (await second?.admit('back', { tokensPerMinute: 100 }, 10)) ?? {}
    expect(standing?.tokens).toMatchObject({ limit: 100, remaining: 60 })
  })

  test('while it is away each counts for itself, and says so; when it is back, both together', async () => {
    await redis.die()
    expect(await both(10, { requestsPerMinute: 3 }, 0, 'away')).toBe(6)
    expect(told).toEqual(['down', 'down'])
    await redis.comeBack()
    const isBack = async () => {
      await both(1, { requestsPerMinute: 1_000_000 }, 0, 'looking')
      return told.length === 4
    }
    await expect.poll(isBack, { timeout: 8000 }).toBe(true)
    expect(await both(10, { requestsPerMinute: 3 }, 0, 'again')).toBe(3)
  }, 15_000)
})

test.each([
  [0, '0ms'],
  [119.2, '120ms'],
  [8500, '8.5s'],
  [60_000, '1m0s'],
  [360_001, '6m1s'],
])('%d ms are written as %s', (ms, text) => {
  expect(printSpan(ms)).toBe(text)
})

test('only limits that are there become headers', () => {
  expect(toHeaders({ requests: { limit: 9, remaining: 3, resetMs: 1000 } })).toEqual({
    'x-ratelimit-limit-requests': '9',
    'x-ratelimit-remaining-requests': '3',
    'x-ratelimit-reset-requests': '1s',
  })
})
