import { drawTask } from './battery/battery.ts'
import { createDice } from './dice.ts'
import { createRace, type Race } from './race.ts'
import { type Ask, ServerTrouble, type Trial } from './trial.ts'
import type { Way } from './ways.ts'

export interface Plan {
  readonly ways: readonly Way[]
  readonly seed: number
  /** How likely the answer may be wrong. */
  readonly alpha: number
  readonly margin: number
  readonly maxRounds: number
  /** New requests, those of earlier runs not counted. */
  readonly maxRequests: number
  /** By the clock that `now` reads. */
  readonly deadline: number
  /** Requests at once. */
  readonly parallel: number
}

/** Why it ended. */
export type Ending =
  | { readonly kind: 'certain' | 'rounds' | 'requests' | 'time' | 'interrupted' }
  | { readonly kind: 'trouble'; readonly reason: string }

export interface Measurement {
  readonly race: Race
  /** In the order of the rounds; those of rounds that were not finished are left out. */
  readonly trials: readonly Trial[]
  readonly ending: Ending
}

export interface Surroundings {
  readonly ask: Ask
  /** What earlier runs found out. */
  known(round: number, way: Way): Trial | undefined
  /** Told of every new trial. */
  onTrial(trial: Trial): void
  /** Told after every round. */
  onRound(race: Race, trials: readonly Trial[]): void
  now(): number
  wait(ms: number, signal: AbortSignal): Promise<void>
  readonly signal: AbortSignal
}

/** So many requests refused from the start on, and a way is out. */
const rejectionsToLeave = 3
/** Before a server in trouble is asked again. */
const patienceMs = [1_000, 5_000, 15_000]

/** Puts random tasks to a model, each in every way still in the race, until it is clear which is best or the budget is used up. */
export async function measure(plan: Plan, surroundings: Surroundings): Promise<Measurement> {
  const { seed, maxRounds, maxRequests, deadline, parallel } = plan
  const { known, now, signal } = surroundings
  const race = createRace(plan)
  const trials: Trial[] = []
  const rejected = new Map<Way, number>()
  let requests = 0

  function endingNow(next: number): Ending | undefined {
    if (race.outlook.kind !== 'open') return { kind: 'certain' }
    if (race.rounds >= maxRounds) return { kind: 'rounds' }
    const unknown = race.ways.filter((way) => known(next, way) === undefined).length
    if (unknown === 0) return undefined
    if (signal.aborted) return { kind: 'interrupted' }
    if (requests + unknown > maxRequests) return { kind: 'requests' }
    return now() >= deadline ? { kind: 'time' } : undefined
  }

  async function tryOnce(round: number, way: Way): Promise<Trial> {
    const before = known(round, way)
    if (before !== undefined) return before
    requests += 1
    for (const ms of [...patienceMs, undefined]) {
      try {
        const trial = await surroundings.ask(drawTask(seed, round), round, way, signal)
        surroundings.onTrial(trial)
        return trial
      } catch (error) {
        if (!(error instanceof ServerTrouble) || ms === undefined) throw error
        await surroundings.wait(ms, signal)
      }
    }
    throw new ServerTrouble('The server is away.')
  }

  /** Counts a round, for those still in the race when it is its turn. */
  function count(found: ReadonlyMap<Way, Trial>): void {
    const counted = race.ways.flatMap((way) => found.get(way) ?? [])
    trials.push(...counted)
    race.record(new Map(counted.map(({ way, done }) => [way, done])))
    for (const { way, rejected: isRejected, failure = '' } of counted) {
      const inARow = (rejected.get(way) ?? 0) + 1
      if (isRejected !== true) rejected.set(way, Number.NEGATIVE_INFINITY)
      else rejected.set(way, inARow)
      if (isRejected === true && inARow >= rejectionsToLeave) race.refuse(way, failure)
    }
    surroundings.onRound(race, trials)
  }

  for (let round = 0; ; ) {
    const ending = endingNow(round)
    if (ending !== undefined) return { race, trials, ending }
    // With room for more requests than there are ways, several rounds go together.
    const left = Math.floor((maxRequests - requests) / race.ways.length)
    const together = Math.max(1, Math.min(Math.ceil(parallel / race.ways.length), maxRounds - race.rounds, left))
    const found = Array.from({ length: together }, () => new Map<Way, Trial>())
    const jobs = found.flatMap((results, index) => {
      // In a random order: a server's prompt cache would favour the first.
      const order = createDice('order', seed, round + index).several(race.ways, race.ways.length)
      return order.map((way) => async () => void results.set(way, await tryOnce(round + index, way)))
    })
    try {
      await runAtMost(parallel, jobs)
    } catch (error) {
      if (signal.aborted) return { race, trials, ending: { kind: 'interrupted' } }
      if (!(error instanceof ServerTrouble)) throw error
      return { race, trials, ending: { kind: 'trouble', reason: error.message } }
    }
    for (const results of found) {
      if (race.outlook.kind === 'open') count(results)
    }
    round += together
  }
}

/** Runs jobs, so many at a time; the first failure is told once those under way are over. */
async function runAtMost(most: number, jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...jobs]
  let failure: { readonly error: unknown } | undefined
  await Promise.all(
    Array.from({ length: Math.min(most, jobs.length) }, async () => {
      for (let job = left.shift(); job !== undefined && failure === undefined; job = left.shift()) {
        await job().catch((error: unknown) => {
          failure ??= { error }
        })
      }
    }),
  )
  if (failure !== undefined) throw failure.error
}
