import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/server/scripted.ts'
import { GatewayError } from '../../errors.ts'
import { createOverload, heapShare } from './overload.ts'

function watch(shares: readonly number[]) {
  const clock = createManualClock()
  const full: number[] = []
  let at = 0
  const overload = createOverload({
    clock,
    heap: () => shares[Math.min(at++, shares.length - 1)] ?? 0,
    limits: { heapRefuseShare: 0.85, heapDrainShare: 0.95 },
    onFull: (share) => full.push(share),
  })
  const refuses = (): boolean => {
    try {
      overload.check()
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 2 })
      expect(error).toBeInstanceOf(GatewayError)
      return true
    }
  }
  return { clock, overload, full, refuses }
}

test('requests are refused while the heap is above the first mark, and no longer', () => {
  const { clock, refuses, full } = watch([0.5, 0.84, 0.85, 0.94, 0.5])
  const seen = [refuses()]
  for (let second = 0; second < 4; second += 1) {
    clock.advance(1000)
    seen.push(refuses())
  }
  expect(seen).toEqual([false, false, true, true, false])
  expect(full).toEqual([])
})

test('a heap that stays above the second mark is told once; one that was only full of garbage is not', () => {
  const { clock, full } = watch([0.5, 0.96, 0.97, 0.6, 0.96, 0.96, 0.96, 0.96, 0.96])
  clock.advance(5000)
  expect(full).toEqual([])
  clock.advance(10_000)
  expect(full).toEqual([0.96])
})

test('nothing is looked at after it was closed', () => {
  const { clock, overload, full } = watch([0.99])
  overload.close()
  clock.advance(60_000)
  expect(full).toEqual([])
})

test('the share of the real heap is one', () => {
  expect(heapShare()).toBeGreaterThan(0)
  expect(heapShare()).toBeLessThan(1)
})
