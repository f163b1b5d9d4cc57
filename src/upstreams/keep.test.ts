import { expect, onTestFinished, test } from 'vitest'
import { createKeep, createShelf } from './keep.ts'

const settings = { store: 'memory', ttlMs: 60_000 }
const limits = { entries: 100, characters: 1_000, valueCharacters: 400 }

test('what is set is there until it is deleted', async () => {
  const keep = createKeep<string>('a', settings, limits)
  onTestFinished(() => keep.close())
  await keep.set('x', 'one')
  await keep.set('x', 'two')
  expect(await keep.get('x')).toBe('two')
  await keep.delete('x')
  expect(await keep.get('x')).toBeUndefined()
})

test('a value that is too large is not kept, nor what stood in its place', async () => {
  const keep = createKeep<string>('a', settings, limits)
  onTestFinished(() => keep.close())
  await keep.set('x', 'small')
  await keep.set('x', 'x'.repeat(401))
  expect(await keep.get('x')).toBeUndefined()
})

test('the oldest goes when all together are too large, and what is taken out makes room', async () => {
  const keep = createKeep<string>('a', settings, limits)
  onTestFinished(() => keep.close())
  const large = 'x'.repeat(300)
  for (const key of ['a', 'b', 'c']) await keep.set(key, large)
  await keep.set('c', large)
  expect(await Promise.all(['a', 'b', 'c'].map((key) => keep.get(key)))).toEqual([undefined, large, large])
  await keep.delete('b')
  await keep.set('d', large)
  expect(await Promise.all(['c', 'd'].map((key) => keep.get(key)))).toEqual([large, large])
})

test('a full shelf drops what is oldest, and what is over first', () => {
  const shelf = createShelf({ entries: 2 })
  const later = { expires: Date.now() + 60_000 }
  for (const key of ['a', 'b', 'a', 'c']) shelf.set(key, later)
  expect([...shelf.keys()]).toEqual(['a', 'c'])
  const roomy = createShelf({ entries: 10 })
  for (const key of ['a', 'b']) roomy.set(key, { expires: Date.now() - 1 })
  roomy.set('c', later)
  expect([...roomy.keys()]).toEqual(['c'])
})
