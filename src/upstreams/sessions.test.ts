import { expect, onTestFinished, test } from 'vitest'
import { createSessions } from './sessions.ts'

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
