import { expect, test } from 'vitest'
import { createDice } from './dice.ts'
import { logEvidence, logGamma, medianOf, rateInterval } from './statistics.ts'

test.each([
  [1, 0],
  [0.5, Math.log(Math.sqrt(Math.PI))],
  [5, Math.log(24)],
  [101, 363.739375555563],
])('the logarithm of Γ(%d) is %d', (x, expected) => {
  expect(logGamma(x)).toBeCloseTo(expected, 9)
})

test.each([
  [0, 0, 0, 1],
  [0, 50, 0, 0.105],
  [50, 50, 0.895, 1],
  [90, 100, 0.772, 0.971],
])('after %d successes in %d trials the rate is between %d and %d', (successes, trials, low, high) => {
  const interval = rateInterval(successes, trials, 0.05)
  expect(interval.low).toBeCloseTo(low, 2)
  expect(interval.high).toBeCloseTo(high, 2)
})

test.each([
  [0, 0],
  [4, 0],
  [0, 4],
  [30, 11],
])('the evidence of %d wins and %d losses is the integral it stands for', (wins, losses) => {
  const steps = 200_000
  let integral = 0
  for (let step = 0; step < steps; step++) {
    const chance = 0.5 + (step + 0.5) / (2 * steps)
    integral += (chance ** wins * (1 - chance) ** losses) / (2 * steps)
  }
  const duel = { rounds: wins + losses, wins, losses }
  expect(logEvidence(duel)).toBeCloseTo(Math.log(integral) + (wins + losses + 1) * Math.LN2, 6)
})

const series = 200
const length = 200

/** How many of many series ever have an interval without the truth in it, looked at after every trial. */
function everWrong(isWrong: (dice: ReturnType<typeof createDice>) => boolean): number {
  return (
    Array.from({ length: series }, (_, seed) => isWrong(createDice('coverage', seed))).filter(Boolean).length / series
  )
}

test.each([0.02, 0.3, 0.9])('a rate of %d stays inside all intervals of a series as often as stated', (truth) => {
  const wrong = everWrong((dice) => {
    let successes = 0
    for (let trials = 1; trials <= length; trials++) {
      successes += Number(dice.chance() < truth)
      const { low, high } = rateInterval(successes, trials, 0.1)
      if (truth < low || truth > high) return true
    }
    return false
  })
  expect(wrong).toBeLessThanOrEqual(0.1)
})

test('evidence for a way that is no better reaches 1/alpha no more often than stated, with a look after every round', () => {
  const wrong = everWrong((dice) => {
    let [wins, losses] = [0, 0]
    for (let rounds = 1; rounds <= length; rounds++) {
      if (dice.chance() < 0.5) wins += 1
      else losses += 1
      if (logEvidence({ rounds, wins, losses }) >= Math.log(10)) return true
    }
    return false
  })
  expect(wrong).toBeLessThanOrEqual(0.1)
  // It is a test that can fail: it does happen.
  expect(wrong).toBeGreaterThan(0)
})

test.each([
  [[], undefined],
  [[3], 3],
  [[4, 1], 2.5],
])('the median of %j is %j', (values, expected) => {
  expect(medianOf(values)).toBe(expected)
})
