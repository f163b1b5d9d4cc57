import { expect, test } from 'vitest'
import { createDice } from './dice.ts'
import { createRace } from './race.ts'

const alpha = 0.05
const margin = 0.05
const runs = 100

interface Scenario {
  /** The true rate of each way; the first is the best. */
  readonly rates: readonly number[]
  /** How much harder some tasks are than others, for all ways alike. */
  readonly unevenness?: number
  readonly maxRounds?: number
}

/** A race of made-up ways. Tells who is ahead or has won when it ends. */
function run({ rates, unevenness = 0, maxRounds = 365 }: Scenario, seed: number) {
  const dice = createDice('race', seed, rates.join(' '))
  const rateOf = new Map(rates.map((rate, index) => [`way-${index}`, rate]))
  const race = createRace({ ways: [...rateOf.keys()], alpha, margin })
  while (race.rounds < maxRounds && race.outlook.kind === 'open') {
    const isHard = dice.chance() < 0.5
    race.record(
      new Map(
        race.ways.map((way) => {
          const rate = rateOf.get(way) ?? 0
          const swing = unevenness * Math.min(rate, 1 - rate) * (isHard ? -1 : 1)
          return [way, dice.chance() < rate + swing]
        }),
      ),
    )
  }
  const share = (way: string): number => race.tally(way).done / Math.max(1, race.tally(way).of)
  const [ahead = ''] = race.ways.toSorted((a, b) => share(b) - share(a))
  const covered = [...rateOf].filter(([way, rate]) => race.interval(way).low <= rate && rate <= race.interval(way).high)
  return { race, ahead, covered: covered.length }
}

test.each<[string, Scenario]>([
  ['far apart', { rates: [0.95, 0.7, 0.5, 0.4, 0.3, 0.1] }],
  ['as models are', { rates: [0.9, 0.78, 0.8, 0.6, 0.2] }],
  ['on uneven tasks', { rates: [0.9, 0.78, 0.8, 0.6, 0.2], unevenness: 0.9 }],
  ['ten points apart', { rates: [0.92, 0.82, 0.8], maxRounds: 730 }],
  ['of many', { rates: [0.95, ...Array.from({ length: 19 }, () => 0.6)] }],
])('ways %s: the best one is found in 95 of 100 runs, and the true rates are inside the intervals', (_, scenario) => {
  const all = Array.from({ length: runs }, (_unused, seed) => run(scenario, seed))
  expect(all.filter(({ ahead }) => ahead === 'way-0').length).toBeGreaterThanOrEqual(95)
  const covered = all.reduce((sum, one) => sum + one.covered, 0)
  expect(covered / (runs * scenario.rates.length)).toBeGreaterThanOrEqual(0.95)
  // A certain winner is the best one.
  const won = all.flatMap(({ race }) => (race.outlook.kind === 'winner' ? race.outlook.way : []))
  expect(won.length).toBeGreaterThan(0)
  expect(won.filter((way) => way !== 'way-0').length).toBeLessThanOrEqual(alpha * runs)
})

test('of two ways that are equally good, one is thrown out in 5 of 100 runs at most', () => {
  const all = Array.from({ length: runs }, (_, seed) => run({ rates: [0.7, 0.7], maxRounds: 300 }, seed))
  expect(all.filter(({ race }) => race.exits.size > 0).length).toBeLessThanOrEqual(5)
})

test('two ways that hardly ever fail are called equal, and a bad one is not', () => {
  const outlooks = Array.from({ length: 20 }, (_, seed) => run({ rates: [1, 1, 0.5] }, seed).race.outlook)
  for (const outlook of outlooks) expect(outlook).toEqual({ kind: 'equal', ways: ['way-0', 'way-1'] })
})

test('where every way fails it ends early, with nothing to recommend', () => {
  const { race } = run({ rates: [0, 0, 0, 0] }, 1)
  expect(race.outlook).toEqual({ kind: 'none' })
  expect(race.rounds).toBeLessThan(60)
})

test('a way alone is measured until its rate is known to within the margin', () => {
  const { race } = run({ rates: [1] }, 1)
  expect(race.outlook).toEqual({ kind: 'winner', way: 'way-0' })
  expect(race.interval('way-0').low).toBeGreaterThan(0.89)
})

test('a way that is refused leaves the race, and beats nobody', () => {
  const race = createRace({ ways: ['native', 'hermes'], alpha, margin })
  race.record(
    new Map([
      ['native', false],
      ['hermes', true],
    ]),
  )
  race.refuse('native', 'no tools here')
  expect(race.ways).toEqual(['hermes'])
  expect(race.exits.get('native')).toEqual({ kind: 'refused', reason: 'no tools here', round: 1 })
  expect(race.outlook).toEqual({ kind: 'open' })
})
