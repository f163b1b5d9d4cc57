import { computed, effect, signal } from '@preact/signals'
import { read, write } from '../app/theme.ts'
import { summaries } from '../data/store.ts'
import { completionsOf } from './complete.ts'
import { toFilter } from './filter.ts'
import { toRows } from './rows.ts'
import { idsWith, lookFor } from './search.ts'

export const query = signal('')
export const isGrouped = signal(read('dragoman-grouped') !== 'no')
/** Conversations whose turns are hidden. */
const closed = signal<ReadonlySet<string>>(new Set())

export const matching = computed(() => {
  const wanted = query.value.trim()
  return wanted === '' ? summaries.value : summaries.value.filter(toFilter(wanted, idsWith))
})

effect(() => lookFor(query.value))

/** What the search may be completed to. */
export const completions = computed(() => completionsOf(query.value, summaries.value))

export const rows = computed(() => toRows(matching.value, isGrouped.value, closed.value))

/** The row the keyboard stands on, by its key. */
export const current = signal<string | undefined>(undefined)

export function toggleGroup(conversation: string): void {
  const next = new Set(closed.value)
  if (!next.delete(conversation)) next.add(conversation)
  closed.value = next
}

export function toggleGrouping(): void {
  isGrouped.value = !isGrouped.value
  write('dragoman-grouped', isGrouped.value ? 'yes' : 'no')
}

/** The row so many further on; `overGroups`: headings of conversations do not count. */
export function step(by: number, overGroups: boolean): string | undefined {
  const all = overGroups ? rows.value.filter(({ kind }) => kind === 'exchange') : rows.value
  const at = all.findIndex(({ key }) => key === current.value)
  const next = all[Math.max(0, Math.min(all.length - 1, at === -1 ? 0 : at + by))]
  current.value = next?.key
  return next?.key
}
