import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Row } from './gateway.ts'
import { type Group, plotBars } from './plot.ts'

/** Writes what was measured to a file, and its plots beside it. */
export function keepFindings(file: string, found: object, rows: readonly Row[]): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`)
  for (const [name, plot] of plotsOf(rows)) writeFileSync(join(dirname(file), name), plot)
}

export function plotsOf(rows: readonly Row[]): readonly (readonly [string, string])[] {
  if (rows.length === 0) return []
  const cpu = rows.filter(({ unit }) => unit.includes('CPU'))
  const waits = rows.filter(({ unit }) => !unit.includes('CPU'))
  return [
    ['cpu.svg', plotBars('CPU time of the gateway', 'times a bare pass-through', groupsOf(cpu, ratioOf))],
    ['latency.svg', plotBars('What the gateway adds', 'µs', groupsOf(waits, figureOf))],
  ]
}

const ratioOf = ({ ratio }: Row) => ratio
const figureOf = ({ figure }: Row) => figure

function groupsOf(rows: readonly Row[], measure: (row: Row) => Row['figure']): readonly Group[] {
  const names = [...new Set(rows.map(({ scenario }) => scenario))]
  return names.map((name) => {
    const own = rows.filter(({ scenario }) => scenario === name)
    const base = own.find(({ subject }) => subject === 'passed')
    const target = own.find(({ subject }) => subject === 'dragoman')?.target ?? 0
    return {
      title: own[0]?.title ?? name,
      target: measure === ratioOf ? target : target * (base?.figure.median ?? 0),
      bars: own.map((row) => ({
        label: row.subject,
        value: measure(row).median,
        least: measure(row).least,
        most: measure(row).most,
        kind:
          row.subject === 'dragoman' || row.subject === 'recording'
            ? 'own'
            : row.subject === 'passed'
              ? 'base'
              : 'other',
      })),
    }
  })
}
