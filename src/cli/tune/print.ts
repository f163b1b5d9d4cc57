import type { Standing, Summary } from '../../tune/summary.ts'
import { printTable, widthOf, wrapWords } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { percent, printAxis, printWhisker, quantity, rate, time, tokens } from './figures.ts'

/** What is shown when it is over. */

type Paint = Terminal['paint']

export function printStandings({ standings }: Summary, columns: number, paint: Paint): readonly string[] {
  const rates = [
    ['way', 'tasks', 'success', 'valid calls', 'repaired'],
    ...standings.map(({ way, success, valid, repaired }) => [
      way,
      String(success.of),
      rate(success),
      rate(valid),
      rate(repaired),
    ]),
  ]
  const costs = [
    ['way', 'prompt tokens', 'first token', 'whole answer'],
    ...standings.map(({ way, promptTokens, firstMs, totalMs }) => [
      way,
      quantity(promptTokens, tokens),
      quantity(firstMs, time),
      quantity(totalMs, time),
    ]),
  ]
  const together = rates.map((row, index) => [...row, ...(costs[index] ?? []).slice(1)])
  const wide = [3, 2].map((gap) => printTable(together, gap)).find((lines) => widthOf(lines) + 2 <= columns)
  if (wide !== undefined) return painted(wide, standings, paint)
  const narrow = (rows: readonly (readonly string[])[]): readonly string[] => {
    const lines = printTable(rows, 3)
    return painted(widthOf(lines) + 2 <= columns ? lines : printTable(rows, 1), standings, paint)
  }
  return [...narrow(rates), '', ...narrow(costs)]
}

function painted(
  [head = '', ...lines]: readonly string[],
  standings: readonly Standing[],
  paint: Paint,
): readonly string[] {
  return [
    `  ${paint('dim', head)}`,
    ...lines.map((line, index) => `  ${standings[index]?.exit === undefined ? line : paint('dim', line)}`),
  ]
}

const most = 60

export function printChart(
  { standings }: Summary,
  chosen: string | undefined,
  columns: number,
  paint: Paint,
): readonly string[] {
  const measured = standings.filter(({ success }) => success.of > 0)
  if (measured.length === 0) return []
  const label = Math.max(...measured.map(({ way }) => way.length))
  const width = Math.max(20, Math.min(most, columns - label - 14))
  return [
    `  ${paint('bold', 'Success')} ${paint('dim', 'with 95% intervals')}`,
    ...measured.map(({ way, success, exit }) => {
      const line = printWhisker(success.value, success, width)
      const style = way === chosen ? 'green' : exit === undefined ? 'cyan' : 'dim'
      return `  ${way === chosen ? paint('bold', way.padEnd(label)) : way.padEnd(label)}  ${paint(style, line)}  ${percent(success.value).padStart(4)}`
    }),
    `  ${' '.repeat(label)}  ${paint('dim', printAxis(width))}`,
  ]
}

const compared = 4

/** Where the best ways differ. */
export function printCategories({ standings }: Summary, paint: Paint): readonly string[] {
  const shown = standings.filter(({ success }) => success.of > 0).slice(0, compared)
  const [first] = shown
  if (first === undefined) return []
  const rows = Object.keys(first.byCategory).map((category) => [
    category,
    ...shown.map(({ byCategory }) => {
      const { done = 0, of = 0 } = byCategory[category] ?? {}
      return of === 0 ? '–' : `${done}/${of}`
    }),
  ])
  const [head = '', ...lines] = printTable([['tasks of the kind', ...shown.map(({ way }) => way)], ...rows], 3)
  return [`  ${paint('dim', head)}`, ...lines.map((line) => `  ${line}`)]
}

/** Why ways are out that nothing was measured of. */
export function printRefusals({ standings }: Summary, paint: Paint): readonly string[] {
  return standings.flatMap(({ way, exit }) => {
    if (exit?.kind !== 'refused') return []
    const [first = '', ...rest] = wrapWords(
      `${way}: the server refuses these requests. It says: ${exit.reason}`,
      '    ',
    )
    return [`  ${paint('yellow', '!')} ${first.trimStart()}`, ...rest]
  })
}

export function printParagraph(sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((sentence) => wrapWords(sentence, '  '))
}
