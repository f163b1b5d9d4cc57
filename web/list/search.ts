import { signal } from '@preact/signals'
import type { Page } from '../../src/traces/api.ts'
import { getJson } from '../data/api.ts'
import { known, put } from '../data/store.ts'
import { bodyTextsOf } from './filter.ts'

/** The ids of the exchanges in which a text was asked or said, by that text. */
const found = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
export const isSearching = signal(false)

export const idsWith = (text: string): ReadonlySet<string> | undefined => found.value.get(text)

/** So long one may go on typing before the gateway is asked. */
const typingMs = 300
/** How often it is asked again while new exchanges come. */
const againMs = 5_000
const mostFound = 10_000

let abort = new AbortController()

/** Has the gateway look for what a filter wants in bodies, until another filter is handed in. */
export function lookFor(query: string): void {
  abort.abort()
  abort = new AbortController()
  const texts = bodyTextsOf(query)
  isSearching.value = texts.length > 0
  if (texts.length > 0) void keepLooking(texts, abort.signal).catch(() => undefined)
}

async function keepLooking(texts: readonly string[], signal: AbortSignal): Promise<void> {
  let seen: unknown
  for (await pause(typingMs); !signal.aborted; await pause(againMs)) {
    const last = known.peek()
    if (last === seen) continue
    seen = last
    found.value = new Map(await Promise.all(texts.map((text) => idsOf(text, signal))))
    isSearching.value = false
  }
}

async function idsOf(text: string, signal: AbortSignal) {
  const { exchanges } = await getJson<Page>(`exchanges?limit=${mostFound}&text=${encodeURIComponent(text)}`, signal)
  // Older ones than the page has read so far are among them.
  for (const summary of exchanges) put(summary)
  return [text, new Set(exchanges.map(({ id }) => id))] as const
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
