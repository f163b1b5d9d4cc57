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

/** Undefined of nothing. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2
}

/** ln Γ(x) for x > 0, by Lanczos' series (g = 7): 15 digits. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const sum = coefficients.reduce((total, one, index) => total + one / (x + index), 0.99999999999980993)
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

const coefficients = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** ln(e^a + e^b + …), without leaving the range of numbers. */
function logSum(values: readonly number[]): number {
  const most = Math.max(...values)
  return most === Number.NEGATIVE_INFINITY
    ? most
    : most + Math.log(values.reduce((sum, x) => sum + Math.exp(x - most), 0))
}
