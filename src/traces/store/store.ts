import type { Summary } from '../exchange.ts'
import type { Recording } from '../recording/recording.ts'
import type { ExchangeView } from '../view/exchange-view.ts'

/** How much is kept, and for how long. */
export interface Bounds {
  readonly entries: number
  readonly bytes: number
  readonly retentionMs?: number | undefined
}

/** Which exchanges, newest first. */
export interface Query {
  readonly limit: number
  /** Ids: older than one, newer than one. */
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly conversation?: string | undefined
  readonly requestId?: string | undefined
}

/** Keeps exchanges that are over, within its bounds: the oldest go first. Ids sort by time. */
export interface Store {
  /** New bounds. */
  bound(bounds: Bounds): void
  add(recording: Recording): void
  list(query: Query): readonly Summary[]
  /** Those that began in this time, newest first. */
  between(from: number, to: number, limit: number): readonly Summary[]
  find(id: string): ExchangeView | undefined
  /** All that was asked and said in it, secrets hidden. */
  words(id: string): string | undefined
  readonly count: number
  /** Where others add to it, too: gives back a function that tells what is new since it was last asked. */
  readonly follow?: () => () => readonly Summary[]
  close(): void
}

export function matches(summary: Summary, { before, after, conversation, requestId }: Query): boolean {
  return (
    (before === undefined || summary.id < before) &&
    (after === undefined || summary.id > after) &&
    (conversation === undefined || summary.conversation === conversation) &&
    (requestId === undefined || summary.requestId === requestId)
  )
}
