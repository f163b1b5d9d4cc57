import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashKey, type KeySettings } from '../../src/config/keys.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import { createBudgets } from '../../src/server/accounts/budgets.ts'
import { createSqliteAccounts } from '../../src/server/accounts/sqlite.ts'
import type { Info, Overview } from '../../src/traces/api.ts'
import { type Asked, ask, type Reply } from '../server/scripted.ts'
import { readFile, runTraced, saying, type Traced } from './traced.ts'

/** What the inspector shows to those who have a key of the API and no token. */

const keyOf = (name: string, more: Partial<KeySettings> = {}): KeySettings => ({
  name,
  hash: hashKey(`sk-${name}`),
  ...more,
})
const keys = [
  keyOf('alice', { team: 'research', tokensPerDay: 1000 }),
  keyOf('bob', { models: ['m'] }),
  keyOf('carol', { models: ['other*'] }),
  keyOf('root', { isAdmin: true }),
  keyOf('old', { expiresAt: 1 }),
]
const words = 'the launch code is swordfish'
const folder = mkdtempSync(join(tmpdir(), 'usage-'))
const store = createSqliteAccounts(':memory:')
let traced: Traced

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Inspector</title>')
  const budgets = createBudgets({
    store,
    teams: new Map([['research', { costPerMonth: 2 }]]),
    prices: new Map([['m', { input: 1000, output: 1000 }]]),
    now: () => 1_700_000_000_000,
  })
  traced = await runTraced({
    script: () => saying(`<tool_call>{"name": "read_file", "arguments": {"path": "${words}",}}</tool_call>`),
    page: folder,
    gateway: { keyring: createKeyring(keys), budgets, labels: new Set(['m']) },
  })
  for (const [name, model] of [
    ['alice', 'm'],
    ['bob', 'm'],
    ['bob', words],
    ['alice', 'a-typo'],
  ])
    await ask(traced.port, {
      headers: { authorization: `Bearer sk-${name}`, 'x-conversation-id': words, 'user-agent': `${words}/1` },
      body: { model, messages: [{ role: 'user', content: words }], tools: [readFile] },
    })
})

afterAll(async () => {
  await traced.gateway.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string>): Promise<Reply> =>
  ask(traced.port, { method: 'GET', path: `/inspector/${path}`, headers })
const as = (name: string) => ({ authorization: `Bearer sk-${name}` })
const signIn = (key: string, more: Partial<Asked> = {}): Promise<Reply> =>
  ask(traced.port, {
    path: '/inspector/',
    body: new URLSearchParams({ key }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    ...more,
  })

describe('with a key that is no admin’s', () => {
  test('the overview has the usage of all, its own key and budgets, and no word of anybody', async () => {
    const { json, text } = await get('api/overview', as('alice'))
    const { own, all, models }: Overview = json
    expect(own).toMatchObject({
      key: 'alice',
      allowances: [
        { limit: 'tokens_per_day', of: 'key', amount: 1000, left: 984 },
        { limit: 'cost_per_month', of: 'team', amount: 2, left: 2 - 0.016 },
      ],
    })
    expect(all.total).toMatchObject({ requests: 3, calls: 2 })
    expect(all.keys).toEqual([{ key: 'alice', exchanges: 2, tokens: 16 }])
    expect(models.map(({ model }) => model).sort()).toEqual(['a-typo', 'm'])
    for (const told of [words, 'bob', 'carol']) expect(text).not.toContain(told)
  })

  test.each([
    ['of models it may not use there is nothing', 'carol', []],
    ['what others typed in place of a model is theirs', 'bob', ['m', words]],
  ])('%s', async (_, name, seen) => {
    const { json } = await get('api/overview', as(name))
    expect((json as Overview).models.map(({ model }) => model).sort()).toEqual(seen)
  })

  test('the page and what it is are shown, the token opens more than the key', async () => {
    expect((await get('', as('alice'))).status).toBe(200)
    expect((await get('api/info', as('alice'))).json).toMatchObject({ access: 'usage' } satisfies Partial<Info>)
    const cookie = `dragoman_inspector_${traced.port}=${traced.token.text}`
    expect((await get('api/info', { ...as('alice'), cookie })).json).toMatchObject({ access: 'all' })
  })

  test('nothing else is: no list, no exchange, no search, no export, no stream', async () => {
    const cookie = `dragoman_inspector_${traced.port}=${traced.token.text}`
    const [{ id }] = (await get('api/exchanges', { cookie })).json.exchanges
    for (const path of [
      'exchanges',
      'exchanges?text=launch',
      `exchanges/${id}`,
      `exchanges/${id}/export`,
      `exchanges/${id}/export?as=golden`,
      'live',
      `live?id=${id}`,
      'nothing',
    ]) {
      const { status, text, json } = await get(`api/${path}`, as('alice'))
      expect([path, status, json.error.code]).toEqual([path, 403, 'admin_only'])
      expect(text).not.toContain('swordfish')
    }
  })
})

test('an admin’s key opens everything', async () => {
  const { json } = await get('api/exchanges', as('root'))
  expect(json.exchanges).toHaveLength(4)
  expect((await get('api/info', as('root'))).json).toMatchObject({ access: 'all' })
})

test.each(['old', 'nobody'])('a key that opens no door (%s) opens nothing here', async (name) => {
  for (const path of ['', 'api/info', 'api/overview', 'api/exchanges']) {
    const { status, json } = await get(path, as(name))
    expect([path, status, json.error.code]).toEqual([path, 401, 'inspector_token'])
  }
})

describe('the form', () => {
  test('takes a key into a cookie that scripts and other sites never see, and that opens no door', async () => {
    const { status, headers } = await signIn('sk-alice')
    expect([status, headers.location]).toEqual([303, '/inspector/'])
    const [set = ''] = headers['set-cookie'] ?? []
    expect(set).toMatch(/^dragoman_key_\d+=[\w-]+; Path=\/inspector; HttpOnly; SameSite=Strict$/)
    const [cookie = ''] = set.split(';')
    expect((await get('api/overview', { cookie })).json.own.key).toBe('alice')
    expect((await get('api/exchanges', { cookie })).status).toBe(403)
    expect((await ask(traced.port, { headers: { cookie } })).status).toBe(401)
  })

  test.each<[string, () => Promise<Reply>, number]>([
    ['a wrong key', () => signIn('sk-nobody'), 401],
    ['no key', () => signIn(''), 401],
    ['a page of another site', () => signIn('sk-alice', { headers: { origin: 'https://evil.example' } }), 403],
    ['a body that is too large', () => signIn('x'.repeat(5000)), 413],
  ])('%s sets none', async (_, send, expected) => {
    const { status, headers } = await send()
    expect([status, headers['set-cookie']]).toEqual([expected, undefined])
  })
})
