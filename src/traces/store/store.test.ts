import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { createManualClock } from '../../../test/server/scripted.ts'
import { type AskedFor, Recording } from '../recording/recording.ts'
import { createMemoryStore } from './memory.ts'
import { createSqliteStore } from './sqlite.ts'
import type { Bounds, Store } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'traces-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const clock = createManualClock()

/** The nth exchange, with a body of so many characters. */
function record(store: Store, nth: number, length = 10, asked: Partial<AskedFor> = {}): void {
  const beginning = {
    id: `x${String(nth).padStart(6, '0')}`,
    requestId: `req_${nth}`,
    at: clock.now(),
    client: 'test',
    door: 'chat',
    method: 'POST',
    path: '/v1/chat/completions',
    url: '/v1/chat/completions',
    headers: [],
    secrets: [],
  }
  const recording = new Recording(beginning, {
    now: clock.now,
    hasBodies: true,
    mostLength: 100_000,
    conversationOf: ({ conversation = '' }) => conversation,
    onChange: () => undefined,
    onEnd: (ended) => store.add(ended),
  })
  recording.receive('a'.repeat(length))
  recording.read({ model: 'm', streaming: false, requests: [], conversation: `conv${nth % 2}`, ...asked })
  recording.end({ state: 'done', status: 200, calls: 0, notes: new Set(), changes: [], totalMs: 1 })
}

const kinds: readonly [string, (bounds: Bounds) => Store][] = [
  ['memory', (bounds) => createMemoryStore(bounds, clock.now)],
  [
    'sqlite',
    (bounds) => createSqliteStore({ path: join(folder, `a/${files++}.db`), bounds, clock, onTrouble: () => undefined }),
  ],
]

describe.each(kinds)('a store in %s', (_, create) => {
  const roomy: Bounds = { entries: 100, bytes: 10_000_000 }

  function ids(store: Store, limit = 100): readonly string[] {
    return store.list({ limit }).map(({ id }) => id.replace(/^x0*/, ''))
  }

  test('tells the newest first, page by page', () => {
    const store = create(roomy)
    // They are added as they end, which is not as they began.
    for (const nth of [2, 1, 4, 3]) record(store, nth)
    expect(ids(store)).toEqual(['4', '3', '2', '1'])
    expect(ids(store, 2)).toEqual(['4', '3'])
    expect(store.list({ limit: 5, before: 'x000003' }).map(({ requestId }) => requestId)).toEqual(['req_2', 'req_1'])
    expect(store.list({ limit: 5, after: 'x000002' }).map(({ requestId }) => requestId)).toEqual(['req_4', 'req_3'])
    expect(store.list({ limit: 5, conversation: 'conv1' })).toHaveLength(2)
    expect(store.list({ limit: 5, requestId: 'req_3' })).toHaveLength(1)
    expect(store.count).toBe(4)
    expect(store.find('x000003')?.exchange.asked.body?.text).toBe('aaaaaaaaaa')
    expect(store.find('nobody')).toBeUndefined()
    store.close()
  })

  test('keeps so many, the oldest go first', () => {
    const store = create({ ...roomy, entries: 2 })
    for (const nth of [1, 2, 3, 4]) record(store, nth)
    expect(ids(store)).toEqual(['4', '3'])
    expect(store.find('x000001')).toBeUndefined()
    store.close()
  })

  test('keeps so much', () => {
    const store = create({ ...roomy, bytes: 150_000 })
    for (const nth of [1, 2, 3, 4, 5]) record(store, nth, 50_000)
    expect(store.count).toBeLessThan(4)
    expect(ids(store)[0]).toBe('5')
    store.close()
  })

  test('keeps them so long', () => {
    const store = create({ ...roomy, retentionMs: 60_000 })
    record(store, 1)
    clock.advance(50_000)
    record(store, 2)
    expect(ids(store)).toEqual(['2', '1'])
    clock.advance(20_000)
    expect(ids(store)).toEqual(['2'])
    expect(store.between(0, clock.now() + 1, 10)).toHaveLength(1)
    store.close()
  })

  test('takes smaller bounds at once', () => {
    const store = create(roomy)
    for (const nth of [1, 2, 3]) record(store, nth)
    store.bound({ ...roomy, entries: 1 })
    expect(ids(store)).toEqual(['3'])
    store.close()
  })
})

describe('a file', () => {
  const roomy: Bounds = { entries: 100, bytes: 10_000_000 }
  const openAt = (path: string, troubles: (string | undefined)[] = []) =>
    createSqliteStore({ path, bounds: roomy, clock, onTrouble: (reason) => troubles.push(reason) })

  test('is there again after a restart, and for nobody else', () => {
    const path = join(folder, 'mine/traces.db')
    const first = openAt(path)
    record(first, 1)
    first.close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const again = openAt(path)
    expect(again.find('x000001')?.exchange.model).toBe('m')
    again.close()
  })

  test('can be shared: what others add is told to whoever follows', () => {
    const path = join(folder, 'shared.db')
    const [one, other] = [openAt(path), openAt(path)]
    record(one, 1)
    clock.advance(1000)
    const news = other.follow?.()
    record(one, 2)
    clock.advance(1000)
    expect(news?.().map(({ id }) => id)).toEqual(['x000002'])
    expect(news?.()).toEqual([])
    expect(other.count).toBe(2)
    one.close()
    other.close()
  })

  test('gets less of each exchange where more come than can be written', () => {
    const store = openAt(join(folder, 'busy.db'))
    for (let nth = 1; nth <= 300; nth++) record(store, nth)
    while (store.list({ limit: 1 })[0]?.id !== 'x000300') clock.advance(1000)
    expect(store.find('x000201')?.exchange).toMatchObject({ hasBodies: true, asked: { body: { length: 10 } } })
    expect(store.find('x000300')?.exchange).toMatchObject({ hasBodies: false, model: 'm', state: 'done' })
    expect(JSON.stringify(store.find('x000300'))).not.toContain('aaaaaaaaaa')
    store.close()
  })

  test('that cannot be written is told of once, and nothing is thrown', () => {
    const troubles: (string | undefined)[] = []
    const path = join(folder, 'broken.db')
    const store = openAt(path, troubles)
    record(store, 1)
    clock.advance(1000)
    const rival = new DatabaseSync(path)
    rival.exec('DROP TABLE exchanges')
    rival.close()
    record(store, 2)
    clock.advance(1000)
    record(store, 3)
    clock.advance(1000)
    expect(troubles).toEqual([expect.stringContaining('exchanges')])
    expect(store.list({ limit: 5 })).toEqual([])
    store.close()
  })
})
