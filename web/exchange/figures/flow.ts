import type { Beat } from '../../../src/traces/exchange.ts'

/** A stretch of time in which the model spoke and the client got nothing. */
export interface Hold {
  readonly from: number
  readonly to: number
  /** Characters that had come by then. */
  readonly length: number
}

const shortest = 15

/** Where text was held back: from its first piece that did not pass at once until something was written again. */
export function holdsOf(said: readonly Beat[], got: readonly Beat[]): readonly Hold[] {
  const holds: Hold[] = []
  let next = 0
  let open: { from: number; length: number } | undefined
  for (const [ms, length] of said) {
    while (next < got.length && (got[next]?.[0] ?? 0) < ms) {
      if (open !== undefined) holds.push({ ...open, to: got[next]?.[0] ?? open.from })
      open = undefined
      next++
    }
    open ??= { from: ms, length: 0 }
    open.length += length
  }
  // What nothing was written after is held still, or was when it ended.
  const last = got[next]?.[0] ?? said.at(-1)?.[0] ?? 0
  if (open !== undefined) holds.push({ ...open, to: last })
  return holds.filter(({ from, to }) => to - from >= shortest)
}

/** What came, in so many equal stretches of time. */
export function bucketsOf(beats: readonly Beat[], totalMs: number, count: number): readonly number[] {
  const buckets = new Array<number>(count).fill(0)
  for (const [ms, length] of beats) {
    const at = Math.min(count - 1, Math.max(0, Math.floor((ms / Math.max(1, totalMs)) * count)))
    buckets[at] = (buckets[at] ?? 0) + length
  }
  return buckets
}
