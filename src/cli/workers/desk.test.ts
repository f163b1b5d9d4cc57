import { expect, test } from 'vitest'
import { createDesk } from './desk.ts'

const allowance = { parallel: 2 }
const gate = ['model', 1, 5, 60_000] as const

test('what a worker held when it died is given back', async () => {
  const desk = createDesk(Date.now)
  const [one, other] = [desk.open(), desk.open()]
  expect((await one.duties.admit('k', allowance, 0)).lease).toBeDefined()
  expect((await one.duties.admit('k', allowance, 0)).lease).toBeDefined()
  expect((await other.duties.admit('k', allowance, 0)).lease).toBeUndefined()
  await one.duties.enter(gate, 1)
  const waiting = other.duties.enter(gate, 1)
  one.clear()
  expect(await waiting).toBe(1)
  expect((await other.duties.admit('k', allowance, 0)).lease).toBeDefined()
})

test('who gives up waiting leaves the line, and who leaves makes room for the next, whatever worker it is of', async () => {
  const desk = createDesk(Date.now)
  const [one, other] = [desk.open(), desk.open()]
  await one.duties.enter(gate, 1)
  const gone = one.duties.enter(gate, 2)
  const next = other.duties.enter(gate, 1)
  one.duties.giveUp(2)
  await expect(gone).rejects.toThrow()
  one.duties.leave(1)
  expect(await next).toBe(2)
  // A second word about the same request changes nothing.
  one.duties.leave(1)
  const later = one.duties.enter(gate, 3)
  other.duties.leave(1)
  expect(await later).toBe(1)
})

test('what one worker remembers another recalls, until its time is over', () => {
  let now = 0
  const desk = createDesk(() => now)
  const [one, other] = [desk.open().duties, desk.open().duties]
  one.remember('a', { entries: 10 }, 'key', 'value', 1000)
  expect([other.recall('a', 'key'), other.recall('b', 'key')]).toEqual(['value', undefined])
  now = 1000
  expect(other.recall('a', 'key')).toBeUndefined()
  one.remember('a', { entries: 10 }, 'key', 'value', undefined)
  expect([other.forget('a', 'key'), one.recall('a', 'key')]).toEqual([true, undefined])
})
