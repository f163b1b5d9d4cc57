import type { Bucket } from '../../src/traces/api.ts'
import { inDigits, inPace, inTime } from '../text/words.ts'

/** What a plot shows: times in seconds, and for each series its figures and how it looks. */
export interface Plotted {
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly print: (value: number) => string
  /** There is nothing between one and two of it. */
  readonly isCount?: boolean
}

export interface Series {
  readonly name: string
  /** As they are told in words. */
  readonly values: readonly (number | null)[]
  /** As they are drawn, where that is something else: bars lie over each other. */
  readonly drawn?: readonly number[]
  /** The name of a colour of the style sheet. */
  readonly color: '--accent' | '--error' | '--muted' | '--call'
  readonly look: 'bars' | 'line' | 'dashes'
}

const timesOf = (buckets: readonly Bucket[]): readonly number[] => buckets.map(({ at }) => at / 1000)

/** Bars lie over each other: all of them, then those that failed or whose client went away, then those that failed. */
export function requests(buckets: readonly Bucket[]): Plotted {
  return {
    times: timesOf(buckets),
    series: [
      { name: 'requests', values: buckets.map((one) => one.requests), color: '--accent', look: 'bars' },
      {
        name: 'gone',
        values: buckets.map((one) => one.aborted),
        drawn: buckets.map((one) => one.failed + one.aborted),
        color: '--muted',
        look: 'bars',
      },
      { name: 'failed', values: buckets.map((one) => one.failed), color: '--error', look: 'bars' },
    ],
    print: inDigits,
    isCount: true,
  }
}

export function firstBytes(buckets: readonly Bucket[]): Plotted {
  return quantiles(buckets, (one) => one.firstByteMs, inTime)
}

export function speeds(buckets: readonly Bucket[]): Plotted {
  return quantiles(buckets, (one) => one.tokensPerSecond, inPace)
}

function quantiles(
  buckets: readonly Bucket[],
  of: (bucket: Bucket) => Bucket['firstByteMs'],
  print: (value: number) => string,
): Plotted {
  return {
    times: timesOf(buckets),
    series: [
      { name: 'median', values: buckets.map((one) => of(one)?.p50 ?? null), color: '--accent', look: 'line' },
      { name: '95 %', values: buckets.map((one) => of(one)?.p95 ?? null), color: '--call', look: 'dashes' },
    ],
    print,
  }
}
