import type { Verdict } from './judge.ts'
import { type Reason, reasonFor, reasons } from './reasons.ts'

export function share(list: readonly boolean[]): number {
  return list.length === 0 ? 1 : list.filter(Boolean).length / list.length
}

/** Rounded down, so that 100 % means all. */
export function percent(part: number): string {
  return `${(Math.floor(part * 1000) / 10).toFixed(1)}%`
}

/** The score without the rows whose expectation contradicts what the gateway promises, or is an engine's bug. */
export function fairShare(verdicts: readonly Verdict[]) {
  const rows = verdicts.filter((verdict) => (reasonFor(verdict)?.stance ?? 'limit') === 'limit')
  return {
    rows: rows.length,
    calls: share(rows.map(({ calls }) => calls)),
    content: share(rows.flatMap(({ content }) => (content === undefined ? [] : [content]))),
  }
}

function byReason(verdicts: readonly Verdict[]): readonly (readonly [Reason, readonly Verdict[]])[] {
  const groups = Map.groupBy(verdicts, reasonFor)
  return reasons.flatMap((reason) => {
    const rows = groups.get(reason)
    return rows === undefined ? [] : [[reason, rows] as const]
  })
}

export function printReasons(verdicts: readonly Verdict[]): string {
  return byReason(verdicts)
    .map(([{ title, stance }, rows]) => `${String(rows.length).padStart(5)}  ${stance.padEnd(7)} ${title}`)
    .join('\n')
}

const stances = {
  policy: 'Where the gateway promises something else',
  vector: 'Where the vector is not to be trusted',
  limit: 'Where the reader could do better',
} as const

/** The list of all differing rows, under what explains them. */
export function printMarkdown(verdicts: readonly Verdict[]): string {
  const lines: string[] = []
  for (const [stance, heading] of Object.entries(stances)) {
    const some = byReason(verdicts).filter(([reason]) => reason.stance === stance)
    lines.push(`## ${heading}`, '')
    for (const [{ title, why }, rows] of some) {
      lines.push(`### ${title}`, '', `${why} ${rows.length === 1 ? 'One row' : `${rows.length} rows`}.`, '')
      for (const [source, those] of Map.groupBy(rows, ({ vector }) => vector.id.split(':')[0] ?? ''))
        lines.push(`- ${source}: ${those.map(({ vector }) => vector.id.split(':')[1]).join(', ')}`)
      lines.push('')
    }
  }
  return lines.join('\n').trimEnd()
}
