import { type Duel, differenceInterval, type Interval, logEvidence, rateInterval } from './statistics.ts'

/** Why a way is out. */
export type Exit =
  /** Another way is better, beyond doubt. */
  | { readonly kind: 'beaten'; readonly by: string; readonly round: number }
  /** The server takes no such requests; these are its words. */
  | { readonly kind: 'refused'; readonly reason: string; readonly round: number }

export type Outlook =
  /** There is more to find out. */
  | { readonly kind: 'open' }
  | { readonly kind: 'winner'; readonly way: string }
  /** Each of these is, beyond doubt, at most the margin worse than the best. */
  | { readonly kind: 'equal'; readonly ways: readonly string[] }
  /** Beyond doubt, every way fails nearly always. */
  | { readonly kind: 'none' }

export interface Race {
  /** Those still in it, in their first order. */
  readonly ways: readonly string[]
  readonly exits: ReadonlyMap<string, Exit>
  readonly rounds: number
  readonly outlook: Outlook
  /** What came of one task for every way still in the race. */
  record(successes: ReadonlyMap<string, boolean>): void
  refuse(way: string, reason: string): void
  interval(way: string): Interval
  tally(way: string): Tally
}

/** How often a way succeeded, of how many tasks. */
export interface Tally {
  readonly done: number
  readonly of: number
}

interface RaceOptions {
  readonly ways: readonly string[]
  /** How likely the answer may be wrong. */
  readonly alpha: number
  /** A difference that doesn't matter, as a share of all tasks. */
  readonly margin: number
}

/** A way whose rate is below this is of no use. */
const hopeless = 0.2

/**
 * A race between ways on the same random tasks. Each pair is compared by the rounds that told them apart, with evidence
 * that may be looked at after every round. Half of alpha is for throwing the best way out, half for calling one as good that
 * is not; both are shared among the rivals the best way has.
 */
export function createRace({ ways: all, alpha, margin }: RaceOptions): Race {
  const exits = new Map<string, Exit>()
  const tried = new Map(all.map((way) => [way, { successes: 0, trials: 0 }]))
  const duels = new Map<string, { rounds: number; wins: number }>()
  const rivals = Math.max(1, all.length - 1)
  const enough = Math.log((2 * rivals) / alpha)
  let rounds = 0

  const keyOf = (way: string, other: string): string => `${way}\n${other}`
  const active = (): readonly string[] => all.filter((way) => !exits.has(way))

  function duelOf(way: string, other: string): Duel {
    const { rounds: both = 0, wins = 0 } = duels.get(keyOf(way, other)) ?? {}
    return { rounds: both, wins, losses: duels.get(keyOf(other, way))?.wins ?? 0 }
  }

  function interval(way: string, share = alpha): Interval {
    const { successes = 0, trials = 0 } = tried.get(way) ?? {}
    return rateInterval(successes, trials, share)
  }

  /** A lead of three is worth 3.75 at most, and half of alpha is never that much. */
  const hasBeaten = (duel: Duel): boolean => duel.wins - duel.losses > 3 && logEvidence(duel) >= enough

  function throwOutBeaten(): void {
    const left = active()
    for (const way of left) {
      const by = left.find((other) => other !== way && hasBeaten(duelOf(other, way)))
      if (by !== undefined) exits.set(way, { kind: 'beaten', by, round: rounds })
    }
  }

  /** It had no rival to beat, and how good it is, is not known well yet. */
  function isAlone(way: string): boolean {
    const { low, high } = interval(way)
    return ![...exits.values()].some(({ kind }) => kind === 'beaten') && high - low > 2 * margin
  }

  function isAsGood(way: string, left: readonly string[]): boolean {
    return left.every((other) => other === way || isNoBetter(duelOf(other, way)))
  }

  function isNoBetter(duel: Duel): boolean {
    // What was seen is inside the interval, so there is nothing to work out.
    if (duel.wins - duel.losses > margin * duel.rounds) return false
    return differenceInterval(duel, alpha / (2 * rivals)).high <= margin
  }

  function outlook(): Outlook {
    const left = active()
    const [first, second] = left
    const isHopeless = left.every((way) => interval(way, alpha / all.length).high < hopeless)
    if (first === undefined || isHopeless) return { kind: 'none' }
    if (second === undefined) return isAlone(first) ? { kind: 'open' } : { kind: 'winner', way: first }
    const equal = left.filter((way) => isAsGood(way, left))
    return equal.length > 0 ? { kind: 'equal', ways: equal } : { kind: 'open' }
  }

  return {
    get ways() {
      return active()
    },
    exits,
    get rounds() {
      return rounds
    },
    get outlook() {
      return outlook()
    },
    interval: (way) => interval(way),
    tally(way) {
      const { successes = 0, trials = 0 } = tried.get(way) ?? {}
      return { done: successes, of: trials }
    },
    refuse(way, reason) {
      exits.set(way, { kind: 'refused', reason, round: rounds })
    },
    record(successes) {
      rounds += 1
      for (const [way, isDone] of successes) {
        const count = tried.get(way)
        if (count === undefined) continue
        count.trials += 1
        if (isDone) count.successes += 1
        for (const [other, isOtherDone] of successes) {
          if (other === way) continue
          const duel = duels.get(keyOf(way, other)) ?? { rounds: 0, wins: 0 }
          duel.rounds += 1
          if (isDone && !isOtherDone) duel.wins += 1
          duels.set(keyOf(way, other), duel)
        }
      }
      throwOutBeaten()
    },
  }
}
