import { expect, onTestFinished, test } from 'vitest'
import { createSessions, createStore, createTexts } from './store.ts'

const settings = { store: 'memory', ttlMs: 60_000 }
const limits = { entries: 100, characters: 800, valueCharacters: 400 }

test('what is set is there until it is deleted', async () => {
  const store = createStore('a', settings, limits)
  onTestFinished(() => store.close())
  await store.set('x', 'one')
  await store.set('x', 'two')
  expect(await store.get('x')).toBe('two')
  await store.delete('x')
  expect(await store.get('x')).toBeUndefined()
})

test('a value that is too large is not kept, nor what stood in its place', async () => {
  const store = createStore('a', settings, limits)
  onTestFinished(() => store.close())
  await store.set('x', 'small')
  await store.set('x', 'x'.repeat(401))
  expect(await store.get('x')).toBeUndefined()
})

test('the oldest goes when all together are too large, and what is taken out makes room', async () => {
  const store = createStore('a', settings, limits)
  onTestFinished(() => store.close())
  const large = 'x'.repeat(300)
  for (const key of ['a', 'b', 'c']) await store.set(key, large)
  await store.set('c', large)
  expect(await Promise.all(['a', 'b', 'c'].map((key) => store.get(key)))).toEqual([undefined, large, large])
  await store.delete('b')
  await store.set('d', large)
  expect(await Promise.all(['c', 'd'].map((key) => store.get(key)))).toEqual([large, large])
})

test('a full memory drops what is oldest, and what is over first', () => {
  let now = 0
  const texts = createTexts({ entries: 2 }, () => now)
  for (const key of ['a', 'b', 'a', 'c']) texts.set(key, 'text', 1_000)
  expect(['a', 'b', 'c'].map(texts.get)).toEqual(['text', undefined, 'text'])
  now = 1_000
  expect(texts.get('a')).toBeUndefined()
  texts.set('d', 'text', 1_000)
  expect([texts.delete('a'), texts.delete('c'), texts.delete('d')]).toEqual([false, false, true])
})

const session = { chat: 'c', parent: 'p', taught: '' }

test('what is set is there until it is deleted', async () => {
  const sessions = createSessions({ store: 'memory', ttlMs: 60_000 })
  onTestFinished(() => sessions.close())
  expect(await sessions.get('a')).toBeUndefined()
  await sessions.set('a', session)
  expect(await sessions.get('a')).toEqual(session)
  await sessions.delete('a')
  expect(await sessions.get('a')).toBeUndefined()
})

test('two of them know nothing of each other', async () => {
  const [one, other] = [1, 2].map(() => createSessions({ store: 'memory', ttlMs: 60_000 }))
  await one?.set('a', session)
  expect(await other?.get('a')).toBeUndefined()
})

test('a Redis that is away knows nothing and takes no time', async () => {
  const sessions = createSessions({ store: 'redis://127.0.0.1:1', ttlMs: 60_000 })
  onTestFinished(() => sessions.close())
  await sessions.set('a', session)
  const begun = performance.now()
  for (let tries = 0; tries < 20; tries += 1) expect(await sessions.get('a')).toBeUndefined()
  await sessions.delete('a')
  expect(performance.now() - begun).toBeLessThan(500)
})
