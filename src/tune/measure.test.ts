import { expect, test } from 'vitest'
import { createDice } from './dice.ts'
import { measure, type Plan } from './measure.ts'
import { summarize } from './summary.ts'
import { type Ask, ServerTrouble, type Trial } from './trial.ts'

const plan: Plan = {
  ways: ['good', 'bad'],
  seed: 1,
  alpha: 0.05,
  margin: 0.05,
  maxRounds: 300,
  maxRequests: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
  parallel: 1,
}

/** Chances by round and way alone, so that the order of requests cannot matter. */
const ask: Ask = async ({ task }, round, way) => ({
  round,
  way,
  category: task.category,
  task: task.name,
  done: createDice('outcome', round, way).chance() < (way === 'good' ? 0.95 : 0.4),
  valid: true,
  repairs: [],
  totalMs: 10,
})

interface World {
  readonly ask?: Ask
  readonly known?: ReadonlyMap<string, Trial>
  readonly signal?: AbortSignal
}

/** A clock that only a wait moves. */
function world({ ask: asked = ask, known = new Map(), signal = new AbortController().signal }: World = {}) {
  const trials: Trial[] = []
  let time = 0
  return {
    trials,
    waited: () => time,
    ask: asked,
    known: (round: number, way: string) => known.get(`${round} ${way}`),
    onTrial: (trial: Trial) => void trials.push(trial),
    onRound: () => undefined,
    now: () => time,
    wait: async (ms: number) => {
      time += ms
    },
    signal,
  }
}

test('it asks every way the same tasks, and ends when it is certain', async () => {
  const { race, trials, ending } = await measure(plan, world())
  expect(ending).toEqual({ kind: 'certain' })
  expect(race.outlook).toEqual({ kind: 'winner', way: 'good' })
  const tasksOf = (name: string) =>
    trials.filter(({ way }) => way === name).map(({ round, task }) => `${round} ${task}`)
  expect(tasksOf('good')).toEqual(tasksOf('bad'))
})

test.each([2, 3, 8])('%d requests at once find the same as one after the other', async (parallel) => {
  const [alone, together] = [await measure(plan, world()), await measure({ ...plan, parallel }, world())]
  expect(together.race.rounds).toBe(alone.race.rounds)
  expect(summarize(together, plan.ways, plan.alpha).standings.map(({ way, success }) => [way, success.count])).toEqual(
    summarize(alone, plan.ways, plan.alpha).standings.map(({ way, success }) => [way, success.count]),
  )
})

test('no more requests than allowed are under way at once', async () => {
  let [now, most] = [0, 0]
  const counting: Ask = async (...asked) => {
    now += 1
    most = Math.max(most, now)
    await Promise.resolve()
    now -= 1
    return await ask(...asked)
  }
  await measure({ ...plan, parallel: 3 }, world({ ask: counting }))
  expect(most).toBe(3)
})

test('stopped anywhere and gone on with, it finds the same and asks nothing twice', async () => {
  const whole = world()
  const { race } = await measure(plan, whole)
  for (const maxRequests of [1, 2, 7, 20]) {
    const first = world()
    expect((await measure({ ...plan, maxRequests }, first)).ending.kind).toBe('requests')
    const known = new Map(first.trials.map((trial) => [`${trial.round} ${trial.way}`, trial]))
    const second = world({ known })
    const { race: again } = await measure(plan, second)
    expect(again.rounds).toBe(race.rounds)
    expect(again.outlook).toEqual(race.outlook)
    expect(first.trials.length + second.trials.length).toBe(whole.trials.length)
  }
})

test('a server in trouble is waited for, and asked again', async () => {
  let fails = 3
  const shaky: Ask = async (...asked) => {
    if (fails-- > 0) throw new ServerTrouble('away')
    return await ask(...asked)
  }
  const around = world({ ask: shaky })
  expect((await measure(plan, around)).ending).toEqual({ kind: 'certain' })
  expect(around.waited()).toBe(21_000)
})

test('one that stays away ends it, with its words', async () => {
  const gone: Ask = async (drawn, round, way, signal) => {
    if (round >= 4) throw new ServerTrouble('Connection refused.')
    return await ask(drawn, round, way, signal)
  }
  const { ending, trials } = await measure(plan, world({ ask: gone }))
  expect(ending).toEqual({ kind: 'trouble', reason: 'Connection refused.' })
  expect(trials.length).toBe(8)
})

test('a way whose first three requests are refused is out, and one that is refused later is not', async () => {
  const refusing: Ask = async (drawn, round, way, signal) => {
    const trial = await ask(drawn, round, way, signal)
    const isRefused = way === 'bad' || round === 5
    return isRefused ? { ...trial, done: false, failure: 'No tools here.', rejected: true } : trial
  }
  const { race } = await measure(plan, world({ ask: refusing }))
  expect(race.exits.get('bad')).toEqual({ kind: 'refused', reason: 'No tools here.', round: 3 })
  expect(race.exits.has('good')).toBe(false)
})

test('an interruption ends it with what was measured', async () => {
  const stop = new AbortController()
  const interrupting: Ask = async (drawn, round, way, signal) => {
    if (round === 3) stop.abort(new Error('interrupted'))
    signal.throwIfAborted()
    return await ask(drawn, round, way, signal)
  }
  const { ending, trials } = await measure(plan, world({ ask: interrupting, signal: stop.signal }))
  expect(ending).toEqual({ kind: 'interrupted' })
  expect(trials.length).toBe(6)
})

test('the budget of time is kept, and who is ahead is recommended without certainty', async () => {
  let time = 0
  const slow: Ask = async (...asked) => {
    time += 1_000
    return await ask(...asked)
  }
  const around = { ...world({ ask: slow }), now: () => time }
  const measured = await measure({ ...plan, deadline: 9_500 }, around)
  expect(measured.ending).toEqual({ kind: 'time' })
  expect(measured.trials.length).toBe(10)
  expect(summarize(measured, plan.ways, plan.alpha).recommendation).toMatchObject({ kind: 'leader', way: 'good' })
})
