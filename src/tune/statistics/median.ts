import { rateInterval } from './rate.ts'

export interface Median {
  readonly value: number
  /** Absent while there are too few to tell. */
  readonly low?: number
  readonly high?: number
}

/**
 * The median and where the true one is, at every look and for any distribution: half of all values lie below it, so as many
 * of the measured ones do as a rate of one half allows. Undefined of nothing.
 */
export function medianOf(values: readonly number[], alpha: number): Median | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const { length } = sorted
  const [lower, upper] = [sorted[Math.floor((length - 1) / 2)], sorted[Math.floor(length / 2)]]
  if (lower === undefined || upper === undefined) return undefined
  const least = fewestBelow(length, alpha)
  const [low, high] = [sorted[least - 1], sorted[length - least]]
  const value = (lower + upper) / 2
  return low === undefined || high === undefined || least === 0 ? { value } : { value, low, high }
}

/** The smallest count of values below the median that is no surprise. */
function fewestBelow(length: number, alpha: number): number {
  let [surprise, fine] = [-1, Math.ceil(length / 2)]
  while (fine - surprise > 1) {
    const middle = Math.floor((surprise + fine) / 2)
    if (rateInterval(middle, length, alpha).high >= 0.5) fine = middle
    else surprise = middle
  }
  return fine
}
