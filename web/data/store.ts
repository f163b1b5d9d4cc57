import { batch, computed, signal } from '@preact/signals'
import type { Info, Page } from '../../src/traces/api.ts'
import type { Summary } from '../../src/traces/exchange.ts'
import { getJson } from './api.ts'

/** Every exchange the page knows of, by its id, and in the order they are listed: newest first. */
const byId = new Map<string, Summary>()
const version = signal(0)

export const info = signal<Info | undefined>(undefined)
/** Whether the list has been read once. */
export const isLoaded = signal(false)
/** How many there are that have not been read yet. */
export const remaining = signal(0)

/** So many rows at most: what a person can still search by eye, and what a tab can hold. */
const most = 20_000

export const known = computed<readonly Summary[]>(() => {
  version.value
  return [...byId.values()].sort(newestFirst)
})

/** While the list is paused, what was in it then. */
const paused = signal<readonly Summary[] | undefined>(undefined)
/** Exchanges up to this id were cleared out of the list. */
export const clearedTo = signal('')

/** What is listed. */
export const summaries = computed<readonly Summary[]>(() => {
  const all = paused.value ?? known.value
  return clearedTo.value === '' ? all : all.filter(({ id }) => id > clearedTo.value)
})

export const isPaused = computed(() => paused.value !== undefined)

export function togglePause(): void {
  paused.value = isPaused.value ? undefined : known.value
}

export function clear(): void {
  clearedTo.value = summaries.value.reduce((last, { id }) => (id > last ? id : last), clearedTo.value)
}

function newestFirst(one: Summary, other: Summary): number {
  return other.at - one.at || (other.id < one.id ? -1 : 1)
}

let scheduled = false
/** Many changes in one frame are one. */
function changed(): void {
  if (scheduled) return
  scheduled = true
  requestAnimationFrame(() => {
    scheduled = false
    version.value++
  })
}

export function put(summary: Summary): void {
  byId.set(summary.id, summary)
  if (byId.size > most) forgetOldest()
  changed()
}

function forgetOldest(): void {
  const oldest = [...byId.values()].sort(newestFirst).at(-1)
  if (oldest !== undefined) byId.delete(oldest.id)
}

/** The first page is on the screen at once; the rest may take its time. */
const pageSizes = { first: 300, further: 5_000 } as const

/** Reads the list, the newest page first, then the rest while the page is already in use. */
export async function loadAll(signal: AbortSignal): Promise<void> {
  let before = ''
  for (;;) {
    const size = before === '' ? pageSizes.first : pageSizes.further
    const page = await getJson<Page>(`exchanges?limit=${size}${before}`, signal)
    batch(() => {
      for (const summary of page.exchanges) byId.set(summary.id, summary)
      isLoaded.value = true
      version.value++
      remaining.value = page.hasMore ? Math.max(0, page.total - byId.size) : 0
    })
    const last = page.exchanges.at(-1)
    if (!page.hasMore || last === undefined || byId.size >= most) return
    before = `&before=${encodeURIComponent(last.id)}`
  }
}

export async function loadInfo(signal?: AbortSignal): Promise<void> {
  info.value = await getJson<Info>('info', signal)
}
