import type { Outcome } from './kept.ts'
import { mcnemar, wilson } from './statistics.ts'

export interface Row {
  readonly arm: string
  readonly asked: number
  readonly right: number
  /** Of the questions that want a call: those that got one, and those that got the right one. */
  readonly wanted: number
  readonly called: number
  readonly rightCalls: number
  /** Of those that want none: those that got none. */
  readonly unwanted: number
  readonly silent: number
  readonly failed: number
  readonly promptTokens: number
  readonly seconds: number
  /** Against the first arm: what only this one got right, what only the first did, and McNemar's p. */
  readonly won: number
  readonly lost: number
  readonly p: number
}

/** What came of each arm, compared with the first of them on the questions both were asked. */
export function compare(outcomes: readonly Outcome[], arms: readonly string[]): readonly Row[] {
  const of = (arm: string) => outcomes.filter((one) => one.arm === arm)
  const base = new Map(of(arms[0] ?? '').map((one) => [one.id, one.right]))
  return arms.map((arm) => {
    const all = of(arm)
    const count = (is: (one: Outcome) => boolean) => all.filter(is).length
    const won = count(({ id, right }) => right && base.get(id) === false)
    const lost = count(({ id, right }) => !right && base.get(id) === true)
    return {
      arm,
      asked: all.length,
      right: count(({ right }) => right),
      wanted: count(({ wanted }) => wanted),
      called: count(({ wanted, called }) => wanted && called),
      rightCalls: count(({ wanted, right }) => wanted && right),
      unwanted: count(({ wanted }) => !wanted),
      silent: count(({ wanted, called }) => !wanted && !called),
      failed: count(({ failure }) => failure !== undefined),
      promptTokens: median(all.flatMap(({ promptTokens }) => promptTokens ?? [])),
      seconds: median(all.map(({ seconds }) => seconds)),
      won,
      lost,
      p: mcnemar(won, lost),
    }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const percent = (rate: number): string => `${Math.round(rate * 100)}`

function share(count: number, of: number): string {
  const { low, high } = wilson(count, of)
  return of === 0 ? '–' : `${percent(count / of)} % (${percent(low)}–${percent(high)})`
}

/** The rows as a Markdown table. */
export function printQuestions(rows: readonly Row[]): string {
  const [first] = rows
  return printTable(
    [
      'arm',
      'right',
      'a call, where one is wanted',
      'the right call',
      'none, where none is',
      'prompt tokens',
      'seconds',
      `better / worse than ${first?.arm ?? ''}`,
      'p',
    ],
    rows.map((row) => [
      `\`${row.arm}\`${row.failed > 0 ? ` (${row.failed} failed)` : ''}`,
      `${row.right}/${row.asked} ${share(row.right, row.asked)}`,
      `${row.called}/${row.wanted}`,
      `${row.rightCalls}/${row.wanted} ${share(row.rightCalls, row.wanted)}`,
      `${row.silent}/${row.unwanted}`,
      String(row.promptTokens),
      row.seconds.toFixed(1),
      row === first ? '' : `${row.won} / ${row.lost}`,
      row === first ? '' : row.p.toFixed(3),
    ]),
  )
}

/** How often each arm was right, by category. */
export function printCategories(outcomes: readonly Outcome[], arms: readonly string[]): string {
  const categories = [...new Set(outcomes.map(({ category }) => category))]
  return printTable(
    ['', ...arms.map((arm) => `\`${arm}\``)],
    categories.map((category) => [
      category,
      ...arms.map((arm) => {
        const all = outcomes.filter((one) => one.arm === arm && one.category === category)
        return `${all.filter(({ right }) => right).length}/${all.length}`
      }),
    ]),
  )
}

/** Which errands each arm did. */
export function printErrands(outcomes: readonly Outcome[], arms: readonly string[]): string {
  const ids = [...new Set(outcomes.map(({ id }) => id))]
  const of = (arm: string) => outcomes.filter((one) => one.arm === arm)
  const done = arms.map((arm) => `${of(arm).filter(({ right }) => right).length}/${of(arm).length}`)
  return printTable(
    ['', ...arms.map((arm) => `\`${arm}\``)],
    [
      ...ids.map((id) => [
        id,
        ...arms.map((arm) => {
          const found = of(arm).find((one) => one.id === id)
          return found === undefined ? '' : found.right ? 'done' : '–'
        }),
      ]),
      ['**done**', ...done],
    ],
  )
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
