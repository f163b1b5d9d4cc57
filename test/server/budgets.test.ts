import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Budget } from '../../src/config/budgets.ts'
import { hashKey, type KeySettings } from '../../src/config/keys.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import { createBudgets } from '../../src/server/accounts/budgets.ts'
import { createRedisAccounts } from '../../src/server/accounts/redis.ts'
import { createSqliteAccounts } from '../../src/server/accounts/sqlite.ts'
import type { AccountStore } from '../../src/server/accounts/store.ts'
import { need } from '../needs.ts'
import { startRedis } from '../qwen/redis-server.ts'
import { ask, batches, chat, type Running, run, say, scriptTurns, stop } from './scripted.ts'

const day = 86_400_000
const start = Date.UTC(2026, 10, 29, 23, 30)

const keyOf = (name: string, limits: Partial<KeySettings>): KeySettings => ({
  name,
  hash: hashKey(`sk-${name}`),
  ...limits,
})

const stores = {
  'a file': async () => ({ store: createSqliteAccounts(':memory:'), end: async () => undefined }),
  'a Redis': async () => {
    need('redis-server')
    const redis = await startRedis()
    return { store: createRedisAccounts(redis.url), end: () => redis.die() }
  },
} as const

describe.each(Object.entries(stores))('budgets counted in %s', (_, open) => {
  let store: AccountStore
  let end: () => Promise<unknown>
  let running: Running | undefined
  let now = start
  const troubles: unknown[] = []

  beforeEach(async () => {
    now = start
    const opened = await open()
    store = opened.store
    end = opened.end
  })
  afterEach(async () => {
    await running?.gateway.close()
    running = undefined
    await store.close()
    await end()
  })

  /** Every answer takes 20 and 10 tokens. */
  async function serve(keys: readonly KeySettings[], teams: Readonly<Record<string, Budget>> = {}) {
    const usage = { type: 'usage', promptTokens: 20, completionTokens: 10 } as const
    const prices = new Map([['local', { input: 1_000_000, output: 2_000_000 }]])
    const budgets = createBudgets({
      store,
      teams: new Map(Object.entries(teams)),
      prices,
      now: () => now,
      onChange: (state) => troubles.push(state),
    })
    const turns = scriptTurns(() => batches([say('hi'), usage, stop]))
    running = await run({ turns, keyring: createKeyring(keys), budgets, labels: new Set(['local']) })
    const { port } = running
    return async (name: string) => {
      const answer = await ask(port, {
        headers: { authorization: `Bearer sk-${name}` },
        body: { ...chat, model: 'local' },
      })
      // It is counted when the answer is over, which its client may see a moment before.
      await new Promise((resolve) => setImmediate(resolve))
      await store.spent([])
      return answer
    }
  }

  test('a day of tokens is used up and there again at midnight in UTC; the answer says what is left', async () => {
    const asks = await serve([keyOf('alice', { tokensPerDay: 50 })])
    expect((await asks('alice')).headers['x-dragoman-budget']).toBe('tokens_per_day=50')
    expect((await asks('alice')).headers['x-dragoman-budget']).toBe('tokens_per_day=20')
    const refused = await asks('alice')
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('1800')
    expect(refused.json.error).toMatchObject({
      code: 'insufficient_quota',
      message: expect.stringMatching(/used up its 50 tokens for this day.*2026-11-30T00:00/),
    })
    now += 1_800_000
    expect((await asks('alice')).status).toBe(200)
  })

  test('a month of money is used up by the price of the model, whatever the day', async () => {
    const asks = await serve([keyOf('alice', { costPerMonth: 70, tokensPerDay: 1000 })])
    await asks('alice')
    now += day / 2
    expect((await asks('alice')).headers['x-dragoman-budget']).toBe('tokens_per_day=1000, cost_per_month=30')
    expect((await asks('alice')).json.error.message).toContain('its budget of 70 for this month')
    now += 2 * day
    expect((await asks('alice')).status).toBe(200)
  })

  test('what the keys of a team take together counts for all of them, and for nobody else', async () => {
    const keys = [
      keyOf('alice', { team: 'research', tokensPerDay: 1000 }),
      keyOf('bob', { team: 'research' }),
      keyOf('eve', {}),
    ]
    const asks = await serve(keys, { research: { tokensPerDay: 60 } })
    await asks('alice')
    expect((await asks('bob')).headers['x-dragoman-budget']).toBe('tokens_per_day=30')
    for (const name of ['alice', 'bob'])
      expect((await asks(name)).json.error.message).toContain("Your team 'research' has used up its 60 tokens")
    const free = await asks('eve')
    expect(free.status).toBe(200)
    expect(free.headers).not.toHaveProperty('x-dragoman-budget')
  })

  test('tokens and money of each key and model are in /metrics', async () => {
    const asks = await serve([keyOf('alice', {})])
    await asks('alice')
    const { text } = await ask(running?.port ?? 0, {
      method: 'GET',
      path: '/metrics',
      headers: { authorization: 'Bearer sk-alice' },
    })
    expect(text).toContain('dragoman_key_tokens_total{key="alice",model="local"} 30')
    expect(text).toContain('dragoman_key_cost_total{key="alice",model="local"} 40')
  })
})

test('while the Redis is away requests are let in, and that is told once', async () => {
  const redis = { ...createSqliteAccounts(':memory:'), spent: () => Promise.reject(new Error('away')) }
  const told: string[] = []
  const budgets = createBudgets({
    store: redis,
    teams: new Map(),
    prices: new Map(),
    now: () => start,
    onChange: (state) => told.push(state),
  })
  const key = keyOf('alice', { tokensPerDay: 1 })
  expect(await budgets.left(key)).toEqual({})
  expect(await budgets.left(key)).toEqual({})
  expect(told).toEqual(['down'])
  await redis.close()
})

test('what was counted in a file is there after a restart, for its owner alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-accounts-'))
  const path = join(folder, 'state/accounts.db')
  const [first, other] = [createSqliteAccounts(path), createSqliteAccounts(path)]
  await Promise.all([first, other].map((one) => one.spend(['key:a:2026'], { tokens: 5, cost: 0.5 })))
  await Promise.all([first.close(), other.close()])
  const again = createSqliteAccounts(path)
  expect(await again.spent(['key:a:2026', 'key:b:2026'])).toEqual([
    { tokens: 10, cost: 1 },
    { tokens: 0, cost: 0 },
  ])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await again.close()
  rmSync(folder, { recursive: true })
})
