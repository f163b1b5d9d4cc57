import type { Verdict } from './judge.ts'

export function share(list: readonly boolean[]): number {
  return list.length === 0 ? 1 : list.filter(Boolean).length / list.length
}

/** Rounded down, so that 100 % means all. */
export function percent(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)}%`
}

export function scoreOf(some: readonly Verdict[]) {
  return {
    rows: some.length,
    calls: share(some.map(({ calls }) => calls)),
    content: share(some.flatMap(({ content }) => (content === undefined ? [] : [content]))),
    cutting: share(some.map(({ cutting }) => cutting === undefined)),
  }
}

/** Tiers A and B are expectations; C is where engines disagree: only the cutting must not matter there. */
export function expectationsOf(verdicts: readonly Verdict[]): readonly Verdict[] {
  return verdicts.filter(({ vector }) => vector.tier !== 'C')
}

/** How often each source and format is read as expected. */
export function printTable(verdicts: readonly Verdict[]): string {
  const groups = Map.groupBy(verdicts, ({ vector }) => `${vector.source.padEnd(12)} ${vector.format}`)
  return [
    `${'source       format'.padEnd(36)}  rows   calls  content  cutting`,
    ...[...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, some]) => printRow(group, some)),
    printRow('tiers A and B', expectationsOf(verdicts)),
    printRow(
      'tier C',
      verdicts.filter(({ vector }) => vector.tier === 'C'),
    ),
    printRow('all', verdicts),
  ].join('\n')
}

function printRow(title: string, some: readonly Verdict[]): string {
  const { rows, calls, content, cutting } = scoreOf(some)
  const cells = [String(rows).padStart(6), percent(calls).padStart(8), percent(content).padStart(9)]
  return title.padEnd(36) + cells.join('') + percent(cutting).padStart(9)
}
