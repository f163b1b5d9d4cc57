import { expect, test } from 'vitest'
import { mcnemar, wilson } from './statistics.ts'

test.each([
  [0, 10, 0, 0.278],
  [5, 10, 0.237, 0.763],
  [10, 10, 0.722, 1],
  [90, 100, 0.826, 0.945],
])('after %d of %d the rate is between %d and %d', (successes, trials, low, high) => {
  const interval = wilson(successes, trials)
  expect(interval.low).toBeCloseTo(low, 3)
  expect(interval.high).toBeCloseTo(high, 3)
})

test.each([
  [0, 0, 1],
  [1, 1, 1],
  [0, 5, 0.0625],
  [2, 8, 0.109],
  [8, 2, 0.109],
])('a split of %d to %d has a p of %d', (first, second, p) => {
  expect(mcnemar(first, second)).toBeCloseTo(p, 3)
})
