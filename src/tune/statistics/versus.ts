import { logGamma, logSum } from './logarithms.ts'
import { type Interval, rateInterval } from './rate.ts'

/** How two ways did on the same tasks: the rounds both were in, and those where only one of them succeeded. */
export interface Duel {
  readonly rounds: number
  readonly wins: number
  readonly losses: number
}

/**
 * The logarithm of the evidence that the first way is better: what a bettor would own, who began with 1 and bet on it at
 * fair odds for "no better" in each round that told them apart. If it is no better, it ever reaches 1/alpha with probability
 * alpha at most, however often one looks (Ville). The bets are those of all chances from one half up, in equal shares:
 * 2ⁿ⁺¹ ∫ θʷ(1−θ)ˡ dθ from ½ to 1, which for whole numbers is a sum of binomials.
 */
export function logEvidence({ wins, losses }: Duel): number {
  const all = wins + losses
  const tail: number[] = []
  for (let j = losses + 1; j <= all + 1; j++) tail.push(logChoose(all + 1, j))
  // B(w+1, l+1) · P(Bin(n+1, ½) > l) · 2ⁿ⁺¹
  const beta = logGamma(wins + 1) + logGamma(losses + 1) - logGamma(all + 2)
  return beta + logSum(tail)
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
}

/** By how much the first way's rate is higher, at every look. Each of the two rates takes half of alpha. */
export function differenceInterval({ rounds, wins, losses }: Duel, alpha: number): Interval {
  const won = rateInterval(wins, rounds, alpha / 2)
  const lost = rateInterval(losses, rounds, alpha / 2)
  return { low: won.low - lost.high, high: won.high - lost.low }
}
