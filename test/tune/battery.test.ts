import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import { createReader } from '../../src/engine/reader.ts'
import { fold } from '../../src/protocol/fold.ts'
import { battery, drawTask } from '../../src/tune/battery/battery.ts'
import { isDone } from '../../src/tune/battery/judge.ts'
import { categories, type Solution } from '../../src/tune/battery/task.ts'
import { createDice } from '../../src/tune/dice.ts'
import { violationOf } from '../../src/turn/answer/watch/watch.ts'
import { createInputChecks } from '../../src/turn/inputs/checks.ts'

const made = battery.flatMap((task) =>
  [1, 2, 3].map((seed) => ({ task, seed, ...task.make(createDice(seed, task.name)) })),
)

const answerWith = ({ calls, words = 'yes' }: Solution) => ({
  content: calls.length === 0 ? `That is ${words}.` : '',
  calls: calls.map(({ name, arguments: given }, index) => ({
    id: `c${index}`,
    name,
    arguments: JSON.stringify(given),
  })),
})

test('there are at least 60 tasks, each with a name of its own, and every category has some', () => {
  expect(battery.length).toBeGreaterThanOrEqual(60)
  expect(new Set(battery.map(({ category, name }) => `${category}: ${name}`)).size).toBe(battery.length)
  expect(new Set(battery.map(({ category }) => category))).toEqual(new Set(categories))
  expect(made.filter(({ request }) => request.tools.length >= 30).length).toBeGreaterThan(3)
})

test('the solution of every task is done, valid by its schema, and told in the request', () => {
  for (const { task, request, solution } of made) {
    const answer = answerWith(solution)
    expect(isDone(solution, answer), task.name).toBe(true)
    const checks = createInputChecks(request)
    for (const call of answer.calls) expect(violationOf(call, request.tools, checks), task.name).toBeUndefined()
  }
})

test('anything else is not: no call, one call too many, another argument, another tool', () => {
  for (const { task, request, solution } of made) {
    const answer = answerWith(solution)
    const other = { id: 'x', name: request.tools.at(-1)?.name ?? '', arguments: '{}' }
    expect(isDone(solution, { ...answer, calls: [...answer.calls, other] }), task.name).toBe(false)
    expect(isDone(solution, { content: '', calls: [] }), task.name).toBe(false)
    const [first, ...rest] = answer.calls
    if (first === undefined) continue
    expect(isDone(solution, { content: '', calls: [{ ...first, name: `${first.name}_` }, ...rest] }), task.name).toBe(
      false,
    )
    const [key, value] = Object.entries(solution.calls[0]?.arguments ?? {})[0] ?? []
    if (key === undefined) continue
    const changed = JSON.stringify({
      ...solution.calls[0]?.arguments,
      [key]: typeof value === 'number' ? value + 1 : 'else',
    })
    expect(isDone(solution, { content: '', calls: [{ ...first, arguments: changed }, ...rest] }), task.name).toBe(false)
  }
})

describe('every dialect', () => {
  test.each(dialects)('$name can say every solution', (dialect) => {
    const failed = made.flatMap(({ task, seed, request, solution }) => {
      if (seed > 1) return []
      const { calls } = answerWith(solution)
      if (calls.length === 0 || (calls.length > 1 && dialect.grammar.single === true)) return []
      const reader = createReader({ dialect, tools: request.tools, newId: () => 'call' })
      const answer = fold([...reader.push(printCalls(dialect, calls, request.tools)), ...reader.end('stop')])
      return isDone(solution, answer) ? [] : [task.name]
    })
    expect([...new Set(failed)]).toEqual([])
  })
})

test('rounds are the same for the same seed, others for another, and any task is as likely', () => {
  const names = (seed: number) => Array.from({ length: 3_000 }, (_, round) => drawTask(seed, round).task)
  expect(drawTask(7, 3).request).toEqual(drawTask(7, 3).request)
  expect(names(1)).toEqual(names(1))
  expect(names(1)).not.toEqual(names(2))
  const counts = [...Map.groupBy(names(1), (task) => task).values()].map(({ length }) => length)
  expect(counts.length).toBe(battery.length)
  // 41 on average; five standard deviations.
  expect(Math.max(...counts)).toBeLessThan(41 + 33)
})
