import type { Summary } from '../../src/traces/exchange.ts'

/** A line of the list: an exchange, or the heading of a conversation that has several. */
export type Row =
  | { readonly kind: 'exchange'; readonly key: string; readonly summary: Summary; readonly isInside: boolean }
  | {
      readonly kind: 'group'
      readonly key: string
      readonly conversation: string
      readonly turns: readonly Summary[]
      readonly isOpen: boolean
    }

export function toRows(summaries: readonly Summary[], isGrouped: boolean, closed: ReadonlySet<string>): readonly Row[] {
  if (!isGrouped) return summaries.map((summary) => toRow(summary, false))
  const rows: Row[] = []
  // What belongs to no conversation stands by itself.
  for (const turns of Map.groupBy(summaries, ({ conversation, id }) => conversation ?? `only ${id}`).values()) {
    const conversation = turns.length > 1 ? turns[0]?.conversation : undefined
    const isOpen = conversation === undefined || !closed.has(conversation)
    if (conversation !== undefined)
      rows.push({ kind: 'group', key: `group ${conversation}`, conversation, turns, isOpen })
    if (isOpen) for (const summary of turns) rows.push(toRow(summary, conversation !== undefined))
  }
  return rows
}

function toRow(summary: Summary, isInside: boolean): Row {
  return { kind: 'exchange', key: summary.id, summary, isInside }
}

export interface Heights {
  readonly exchange: number
  readonly group: number
}

/** Where each row begins, and at the end how high all are together. */
export function toOffsets(rows: readonly Row[], heights: Heights): Float64Array {
  const offsets = new Float64Array(rows.length + 1)
  rows.forEach((row, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + heights[row.kind]
  })
  return offsets
}

/** The row at this height: the last that begins at or above it. */
export function rowAt(offsets: Float64Array, height: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
