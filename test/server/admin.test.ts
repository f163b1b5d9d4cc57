import { afterEach, describe, expect, test } from 'vitest'
import { hashKey, type KeySettings } from '../../src/config/keys.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import { createBudgets } from '../../src/server/accounts/budgets.ts'
import { createKeyBook, type KeyBook } from '../../src/server/accounts/key-book.ts'
import { createSqliteAccounts } from '../../src/server/accounts/sqlite.ts'
import type { AccountStore } from '../../src/server/accounts/store.ts'
import { ask, batches, type Running, run, say, scriptTurns, stop } from './scripted.ts'

const admin: KeySettings = { name: 'ops', hash: hashKey('sk-admin'), isAdmin: true }
const plain: KeySettings = { name: 'plain', hash: hashKey('sk-plain') }
const usage = { type: 'usage', promptTokens: 20, completionTokens: 10 } as const

let running: Running[] = []
let books: KeyBook[] = []
let store: AccountStore = createSqliteAccounts(':memory:')

afterEach(async () => {
  for (const book of books) book.close()
  await Promise.all(running.map(({ gateway }) => gateway.close()))
  running = []
  books = []
  await store.close()
  store = createSqliteAccounts(':memory:')
})

async function start(keys: readonly KeySettings[] = [admin, plain]): Promise<number> {
  let made = 0
  const book = createKeyBook({
    store,
    createKey: () => `sk-made-${books.length}-${++made}`,
    now: () => 0,
    isTaken: (name) => keys.some((key) => key.name === name),
    lookEveryMs: 20,
  })
  books.push(book)
  const one = await run({
    turns: scriptTurns(() => batches([say('hi'), usage, stop])),
    keyring: createKeyring(keys, [], book.find),
    book: keys.includes(admin) ? book : undefined,
    budgets: createBudgets({ store, teams: new Map(), prices: new Map(), now: () => 0 }),
  })
  running.push(one)
  return one.port
}

const as = (port: number, key: string) => (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
  ask(port, { method, path, headers: { authorization: `Bearer ${key}` }, ...(body !== undefined && { body }) })

const opens = async (port: number, key: string): Promise<number> =>
  (await ask(port, { headers: { authorization: `Bearer ${key}` } })).status

test('a key is made, used, rotated, revoked and listed with what it used, and all of that is audited', async () => {
  const port = await start()
  const asAdmin = as(port, 'sk-admin')
  const made = await asAdmin('POST', '/admin/keys', { name: 'alice', tokens_per_day: 1000 })
  expect(made.status).toBe(201)
  const { key } = made.json
  expect(made.json.entry).toEqual({ name: 'alice', tokens_per_day: 1000, hash: `sha256:${hashKey(key)}` })
  expect(await opens(port, key)).toBe(200)
  const used = async () => (await asAdmin('GET', '/admin/keys')).json.data[0].used?.day.tokens
  await expect.poll(used).toBe(30)
  const rotated = await asAdmin('POST', '/admin/keys/alice/rotate')
  expect([await opens(port, key), await opens(port, rotated.json.key)]).toEqual([401, 200])
  expect(rotated.json.entry.tokens_per_day).toBe(1000)
  expect((await asAdmin('DELETE', '/admin/keys/alice')).status).toBe(200)
  expect(await opens(port, rotated.json.key)).toBe(401)
  expect((await asAdmin('GET', '/admin/keys')).json.data).toEqual([])
  const audit = (await asAdmin('GET', '/admin/audit')).json.data
  expect(audit.map(({ by, did, key: name }: Record<string, string>) => `${by} ${did} ${name}`)).toEqual([
    'ops revoked alice',
    'ops rotated alice',
    'ops made alice',
  ])
})

test('another gateway over the same store takes a key up, and lets it go', async () => {
  const [one, other] = [await start(), await start()]
  const { key } = (await as(one, 'sk-admin')('POST', '/admin/keys', { name: 'alice' })).json
  await expect.poll(() => opens(other, key)).toBe(200)
  await as(one, 'sk-admin')('DELETE', '/admin/keys/alice')
  await expect.poll(() => opens(other, key)).toBe(401)
})

test('of five hundred keys each opens', async () => {
  const port = await start()
  const asAdmin = as(port, 'sk-admin')
  const made: string[] = []
  for (let nth = 0; nth < 500; nth++) made.push((await asAdmin('POST', '/admin/keys', { name: `k${nth}` })).json.key)
  expect((await asAdmin('GET', '/admin/keys')).json.data).toHaveLength(500)
  for (const key of made.filter((_, nth) => nth % 50 === 0)) expect(await opens(port, key)).toBe(200)
}, 60_000)

describe('nobody else makes keys', () => {
  const paths = [
    ['GET', '/admin/keys'],
    ['POST', '/admin/keys'],
    ['POST', '/admin/keys/plain/rotate'],
    ['DELETE', '/admin/keys/plain'],
    ['GET', '/admin/audit'],
  ] as const

  test.each(paths)('%s %s needs a key, and one that is an admin’s', async (method, path) => {
    const port = await start()
    expect((await ask(port, { method, path })).status).toBe(401)
    const refused = await as(port, 'sk-plain')(method, path, method === 'POST' ? { name: 'x' } : undefined)
    expect([refused.status, refused.json.error.code]).toEqual([403, 'admin_only'])
  })

  test.each(paths)('%s %s is not there without an admin among the keys', async (method, path) => {
    const port = await start([plain])
    expect((await as(port, 'sk-plain')(method, path)).status).toBe(404)
  })
})

test.each([
  [{}, 'name'],
  [[], 'name'],
  [{ name: 'a b' }, 'a name of up to'],
  [{ name: 'a', key: 'sk-mine' }, 'Unknown: key'],
  [{ name: 'a', tokens: 5 }, 'Unknown: tokens'],
  [{ name: 'a', tokens_per_day: 'many' }, 'tokens_per_day'],
  [{ name: 'plain' }, 'already'],
] as const)('%j is refused, and says why', async (body, words) => {
  const refused = await as(await start(), 'sk-admin')('POST', '/admin/keys', body)
  expect(refused.status).toBe(400)
  expect(refused.json.error.message).toContain(words)
})

test.each([
  ['DELETE', '/admin/keys/nobody', 'no key of this name'],
  ['DELETE', '/admin/keys/plain', 'stands in the config file'],
  ['POST', '/admin/keys/nobody/rotate', 'no key of this name'],
  ['POST', '/admin/keys/nobody', 'Nothing is served'],
] as const)('%s %s is not found, and says why', async (method, path, words) => {
  const refused = await as(await start(), 'sk-admin')(method, path)
  expect([refused.status, refused.json.error.message]).toEqual([404, expect.stringContaining(words)])
})
