import { expect, test } from 'vitest'
import { createBackoff } from './cluster.ts'

test('a worker that dies is started at once, one that keeps dying ever later, and one that has lived at once again', () => {
  let now = 0
  const backoff = createBackoff(() => now)
  const waits = Array.from({ length: 8 }, () => {
    now += 500
    return backoff.next()
  })
  expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  now += 60_000
  expect(backoff.next()).toBe(0)
})
