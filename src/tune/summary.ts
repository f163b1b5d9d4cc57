import { categories } from './battery/task.ts'
import type { Ending, Measurement } from './measure.ts'
import type { Exit } from './race.ts'
import { type Interval, medianOf, rateInterval } from './statistics.ts'
import type { Trial } from './trial.ts'
import type { Way } from './ways.ts'

export interface Rate extends Interval {
  readonly value: number
  readonly count: number
  readonly of: number
}

/** What was found out about one way. */
export interface Standing {
  readonly way: Way
  readonly exit?: Exit
  readonly success: Rate
  readonly valid: Rate
  readonly repaired: Rate
  /** Medians. */
  readonly promptTokens?: number
  readonly firstMs?: number
  readonly totalMs?: number
  /** Successes and trials by category. */
  readonly byCategory: Readonly<Record<string, { readonly done: number; readonly of: number }>>
  /** The commonest reason why there was no answer. */
  readonly failure?: string
}

export type Recommendation =
  /** Better than all others, beyond doubt. */
  | { readonly kind: 'winner'; readonly way: Way }
  /** As good as any, and the cheapest of those. */
  | { readonly kind: 'equal'; readonly way: Way; readonly ways: readonly Way[] }
  /** Ahead when the budget ended. */
  | { readonly kind: 'leader'; readonly way: Way; readonly ways: readonly Way[] }
  /** Nothing works. */
  | { readonly kind: 'none' }

export interface Summary {
  readonly standings: readonly Standing[]
  readonly recommendation: Recommendation
  readonly ending: Ending
  readonly rounds: number
  readonly requests: number
}

/** The best first; those that are out, after the others. */
export function summarize({ race, trials, ending }: Measurement, ways: readonly Way[], alpha: number): Summary {
  const standings = ways
    .map((way) => standingOf(way, trials, alpha, race.exits.get(way)))
    .sort((a, b) => Number(isRefused(a)) - Number(isRefused(b)) || compare(a, b))
  return { standings, recommendation: recommend(race, standings), ending, rounds: race.rounds, requests: trials.length }
}

function isRefused({ exit }: Standing): boolean {
  return exit?.kind === 'refused'
}

function compare(a: Standing, b: Standing): number {
  return (
    Number(a.exit !== undefined) - Number(b.exit !== undefined) ||
    b.success.value - a.success.value ||
    costOf(a) - costOf(b)
  )
}

function costOf({ promptTokens }: Standing): number {
  return promptTokens ?? Number.POSITIVE_INFINITY
}

/** Below this share of successes nothing is recommended, however sure it is. */
const useful = 0.05

function recommend({ outlook, ways }: Measurement['race'], standings: readonly Standing[]): Recommendation {
  const left = standings.filter(({ way }) => ways.includes(way))
  const [first] = left
  if (outlook.kind === 'none' || first === undefined || first.success.value < useful) return { kind: 'none' }
  if (outlook.kind === 'winner') return outlook
  if (outlook.kind === 'open') return { kind: 'leader', way: first.way, ways: left.map(({ way }) => way) }
  const equal = left.filter(({ way }) => outlook.ways.includes(way))
  const cheapest = equal.toSorted((a, b) => costOf(a) - costOf(b))[0] ?? first
  return { kind: 'equal', way: cheapest.way, ways: equal.map(({ way }) => way) }
}

function standingOf(way: Way, all: readonly Trial[], alpha: number, exit: Exit | undefined): Standing {
  const trials = all.filter((trial) => trial.way === way)
  const answered = trials.filter(({ failure }) => failure === undefined)
  const median = (of: (trial: Trial) => number | undefined) => medianOf(answered.flatMap((trial) => of(trial) ?? []))
  const promptTokens = median((trial) => trial.promptTokens)
  const firstMs = median((trial) => trial.firstMs)
  const totalMs = median((trial) => trial.totalMs)
  const failure = commonest(trials.flatMap((trial) => trial.failure ?? []))
  return {
    way,
    ...(exit !== undefined && { exit }),
    success: rateOf(trials, ({ done }) => done, alpha),
    valid: rateOf(trials, ({ valid }) => valid, alpha),
    repaired: rateOf(trials, ({ repairs }) => repairs.length > 0, alpha),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(firstMs !== undefined && { firstMs }),
    ...(totalMs !== undefined && { totalMs }),
    byCategory: Object.fromEntries(
      categories.map((category) => {
        const ofIt = trials.filter((trial) => trial.category === category)
        return [category, { done: ofIt.filter(({ done }) => done).length, of: ofIt.length }]
      }),
    ),
    ...(failure !== undefined && { failure }),
  }
}

function rateOf(trials: readonly Trial[], counts: (trial: Trial) => boolean, alpha: number): Rate {
  const count = trials.filter(counts).length
  return {
    value: trials.length === 0 ? 0 : count / trials.length,
    count,
    of: trials.length,
    ...rateInterval(count, trials.length, alpha),
  }
}

function commonest(words: readonly string[]): string | undefined {
  const counts = Map.groupBy(words, (word) => word)
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0]
}
