import { logBeta } from './logarithms.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Where the true rate is, after so many successes in so many trials: with probability 1 − alpha it is inside *every* such
 * interval of a series, so one may look after each trial and stop when one likes. It holds the rates that a bet against them
 * by the Krichevsky–Trofimov mixture has not multiplied by 1/alpha (Robbins; Ville's inequality).
 */
export function rateInterval(successes: number, trials: number, alpha: number): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const failures = trials - successes
  const floor = logBeta(successes + 0.5, failures + 0.5) - logBeta(0.5, 0.5) + Math.log(alpha)
  const isInside = (rate: number): boolean =>
    (successes === 0 ? 0 : successes * Math.log(rate)) + (failures === 0 ? 0 : failures * Math.log1p(-rate)) >= floor
  const best = successes / trials
  return {
    low: successes === 0 ? 0 : edge(best, 0, isInside),
    high: failures === 0 ? 1 : edge(best, 1, isInside),
  }
}

const steps = 50

/** Between a rate that is inside and one that is not. */
function edge(inside: number, outside: number, isInside: (rate: number) => boolean): number {
  let [within, beyond] = [inside, outside]
  for (let step = 0; step < steps; step++) {
    const middle = (within + beyond) / 2
    if (isInside(middle)) within = middle
    else beyond = middle
  }
  return within
}
