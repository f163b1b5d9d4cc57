import type { Interval } from '../../src/tune/statistics.ts'

const z = 1.96

/** Wilson's interval: where the true rate is, with 95 % confidence. */
export function wilson(successes: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const rate = successes / trials
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + (z * z) / (4 * trials * trials))
  const centre = rate + (z * z) / (2 * trials)
  const scale = 1 + (z * z) / trials
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) }
}

/** McNemar's exact p, two-sided: how likely so uneven a split of the questions that only one of two got right is by chance. */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const all = onlyFirst + onlySecond
  const few = Math.min(onlyFirst, onlySecond)
  let tail = 0
  let term = 0.5 ** all
  for (let k = 0; k <= few; k++) {
    tail += term
    term *= (all - k) / (k + 1)
  }
  return Math.min(1, 2 * tail)
}
