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
  ['no first event', [wait(100)], 'no first event'],
  ['a first event in time', [wait(99), (deadlines) => deadlines.progress(), wait(9)], undefined],
  ['no second event', [(deadlines) => deadlines.progress(), wait(10)], 'no further event'],
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
    'no further event',
  ],
  ['no end of a whole answer', [(deadlines) => deadlines.lastCall(5), wait(5)], 'no end of the stream'],
  ['an answer that takes too long, however read', [(deadlines) => deadlines.hold(), wait(1000)], 'not complete'],
  ['nothing once cleared', [(deadlines) => deadlines.clear(), wait(5000)], undefined],
])('%s', (_, steps, expected) => {
  const expired: string[] = []
  const deadlines = createDeadlines(timeouts, (failure) => expired.push(failure.message))
  for (const step of steps) step(deadlines)
  deadlines.clear()
  expect(expired).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)])
})
