import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadlines, type Deadlines } from './deadlines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const timeouts = { connectMs: 1, firstEventMs: 100, idleMs: 10, totalMs: 1000 }

function wait(milliseconds: number) {
  return () => vi.advanceTimersByTime(milliseconds)
}

test.each<[string, ((deadlines: Deadlines) => unknown)[], string | undefined]>([
  ['nothing arrived', [wait(100)], 'nothing arrived'],
  ['a first event in time', [wait(99), (deadlines) => deadlines.progress(), wait(9)], undefined],
  ['no second event', [(deadlines) => deadlines.progress(), wait(10)], 'nothing more arrived'],
  [
    'events in time',
    [(deadlines) => deadlines.progress(), wait(9), (deadlines) => deadlines.progress(), wait(9)],
    undefined,
  ],
  ['a slow reader of the first event', [(deadlines) => deadlines.hold(), wait(500)], undefined],
  [
    'a slow reader of later events',
    [
      (deadlines) => deadlines.progress(),
      (deadlines) => deadlines.hold(),
      wait(500),
      (deadlines) => deadlines.progress(),
    ],
    undefined,
  ],
  [
    'silence after a slow reader',
    [(deadlines) => deadlines.hold(), wait(500), (deadlines) => deadlines.progress(), wait(10)],
    'nothing more arrived',
  ],
  ['no end of a whole answer', [(deadlines) => deadlines.lastCall(5), wait(5)], 'the stream did not end'],
  ['an answer that takes too long, however read', [(deadlines) => deadlines.hold(), wait(1000)], 'not complete'],
  ['nothing once cleared', [(deadlines) => deadlines.clear(), wait(5000)], undefined],
])('%s', (_, steps, expected) => {
  const expired: string[] = []
  const deadlines = createDeadlines(timeouts, (failure) => expired.push(failure.message))
  for (const step of steps) step(deadlines)
  deadlines.clear()
  expect(expired).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)])
})

test.each<[string, boolean[], number, boolean]>([
  ['is there', [true, true, true, true], 45, false],
  ['is gone', [false], 10, true],
  ['goes', [true, false], 20, true],
])('a service that is silent and %s is waited for as long as it is there', async (_, answers, milliseconds, isOver) => {
  const expired: string[] = []
  const isAlive = async () => answers.shift() ?? false
  const deadlines = createDeadlines(timeouts, (failure) => expired.push(failure.message), isAlive)
  deadlines.progress()
  await vi.advanceTimersByTimeAsync(milliseconds)
  deadlines.clear()
  expect(expired).toHaveLength(isOver ? 1 : 0)
})

test('however much it is there, an answer takes no longer than it may', async () => {
  const expired: string[] = []
  const deadlines = createDeadlines(
    timeouts,
    (failure) => expired.push(failure.message),
    async () => true,
  )
  deadlines.progress()
  await vi.advanceTimersByTimeAsync(1000)
  deadlines.clear()
  expect(expired).toEqual([expect.stringContaining('not complete')])
})

test('what comes while it is asked is not silence', async () => {
  const expired: string[] = []
  let tell = (_alive: boolean) => undefined as undefined
  const isAlive = () =>
    new Promise<boolean>((resolve) => {
      tell = (alive) => void resolve(alive)
    })
  const deadlines = createDeadlines(timeouts, (failure) => expired.push(failure.message), isAlive)
  deadlines.progress()
  vi.advanceTimersByTime(10)
  deadlines.progress()
  tell(false)
  await vi.advanceTimersByTimeAsync(5)
  deadlines.clear()
  expect(expired).toEqual([])
})

test('the clock goes on after an event that came while the service was asked whether it is there', async () => {
  const expired: string[] = []
  const asked = Promise.withResolvers<boolean>()
  const answers = [asked.promise, Promise.resolve(false)]
  const isAlive = () => answers.shift() ?? Promise.resolve(false)
  const deadlines = createDeadlines(timeouts, (failure) => expired.push(failure.message), isAlive)
  deadlines.progress()
  await vi.advanceTimersByTimeAsync(10)
  deadlines.progress()
  asked.resolve(false)
  await vi.advanceTimersByTimeAsync(9)
  expect(expired).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  deadlines.clear()
  expect(expired).toEqual([expect.stringContaining('nothing more arrived')])
})

test('events are counted from the last of them, wherever between the rounds of the clock it came', () => {
  for (const last of [1, 4, 9]) {
    const expired: number[] = []
    let now = 0
    const deadlines = createDeadlines(timeouts, () => expired.push(now))
    deadlines.progress()
    vi.advanceTimersByTime(last)
    deadlines.progress()
    for (now = last + 1; now < 30; now += 1) vi.advanceTimersByTime(1)
    deadlines.clear()
    expect(expired).toEqual([last + 10])
  }
})
