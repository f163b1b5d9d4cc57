import { expect, test } from 'vitest'
import { createShared } from './shared.ts'

const allowance = { parallel: 2 }
const gate = ['model', 1, 5, 60_000] as const
const isRefused = (admission: object) => 'measure' in admission

test('what a worker held when it died is given back', async () => {
  const shared = createShared(Date.now)
  const [one, other] = [shared.open(), shared.open()]
  expect(isRefused(await one.calls.admit(1, 'k', allowance, 0))).toBe(false)
  expect(isRefused(await one.calls.admit(2, 'k', allowance, 0))).toBe(false)
  expect(isRefused(await other.calls.admit(1, 'k', allowance, 0))).toBe(true)
  await one.calls.enter(3, gate)
  const waiting = other.calls.enter(2, gate)
  one.clear()
  expect(await waiting).toBe(1)
  expect(isRefused(await other.calls.admit(3, 'k', allowance, 0))).toBe(false)
})

test('who gives up waiting leaves the line, and who leaves makes room for the next, whatever worker it is of', async () => {
  const shared = createShared(Date.now)
  const [one, other] = [shared.open().calls, shared.open().calls]
  await one.enter(1, gate)
  const gone = one.enter(2, gate)
  const next = other.enter(1, gate)
  one.release(2)
  await expect(gone).rejects.toThrow()
  one.release(1)
  expect(await next).toBe(2)
  // Given back twice, it counts once.
  one.release(1)
  const later = one.enter(3, gate)
  other.release(1)
  expect(await later).toBe(1)
})

test('what one worker stores another reads, until its time is over', () => {
  let now = 0
  const shared = createShared(() => now)
  const [one, other] = [shared.open().calls, shared.open().calls]
  one.set('a', { entries: 10 }, 'key', 'value', 1000)
  expect([other.get('a', 'key'), other.get('b', 'key')]).toEqual(['value', undefined])
  now = 1000
  expect(other.get('a', 'key')).toBeUndefined()
  one.set('a', { entries: 10 }, 'key', 'value', 60_000)
  expect([other.delete('a', 'key'), one.get('a', 'key')]).toEqual([true, undefined])
})
