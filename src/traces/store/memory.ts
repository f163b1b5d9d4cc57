import type { SharedBytes } from '../../protocol/memory/shared-bytes.ts'
import type { Summary } from '../exchange.ts'
import type { Recording } from '../recording/recording.ts'
import { toGolden } from '../telling/golden.ts'
import { toExchange, toSummary } from '../telling/tell.ts'
import { createArena } from './arena.ts'
import { type Kept, keep, recall } from './kept.ts'
import { type Bounds, matches, type Store } from './store.ts'

/** What the rest of one takes: its objects, and a word for everything it points to. */
const objectBytes = 1024
const wordBytes = 8

/** They are put away so many at a time, or so much: in one go it costs less than between all else a gateway does. */
const mostWaiting = 32
const mostWaitingLength = 1 << 20

/** In memory, as bytes: what they mean is made of them when somebody looks. */
export function createMemoryStore(bounds: () => Bounds, now: () => number): Store {
  const arena = createArena()
  const kept = new Map<string, Kept>()
  /** In the order they were added; those before the first are gone. A map would look at all that it once held. */
  let queue: (Kept | undefined)[] = []
  let first = 0
  const summaries = new WeakMap<Kept, Summary>()
  let bytes = 0
  let waiting: Recording[] = []
  let waitingLength = 0

  /** Bytes that are shared count for the first who keeps them, and until the last has gone. */
  function count(shared: readonly SharedBytes[], by: 1 | -1): void {
    for (const one of shared) {
      if (by === 1 ? one.users === 0 : one.users === 1) bytes += by * one.bytes.length
      one.users += by
    }
  }

  function account(one: Kept, by: 1 | -1): void {
    const { place, shared, told, largeBytes } = one
    bytes += by * (place.to - place.from + largeBytes + objectBytes + wordBytes * (shared.length + told.length))
    count(shared, by)
    count(told, by)
  }

  function drop(one: Kept): void {
    kept.delete(one.id)
    queue[first] = undefined
    first += 1
    if (first * 2 > queue.length && first > 1024) {
      queue = queue.slice(first)
      first = 0
    }
    account(one, -1)
    arena.free(one.place)
  }

  function prune(): void {
    const { entries, bytes: most, retentionMs } = bounds()
    const oldest = retentionMs === undefined ? 0 : now() - retentionMs
    for (let one = queue[first]; one !== undefined; one = queue[first]) {
      if (kept.size <= entries && bytes <= most && one.at >= oldest) return
      drop(one)
    }
  }

  function putAway(): void {
    const those = waiting
    waiting = []
    waitingLength = 0
    for (const recording of those) {
      const one = keep(recording, arena)
      kept.set(one.id, one)
      queue.push(one)
      account(one, 1)
    }
    prune()
  }

  function summaryOf(one: Kept): Summary {
    const known = summaries.get(one) ?? toSummary(recall(one, 'facts'))
    summaries.set(one, known)
    return known
  }

  /** Newest first. They are added as they end, and told as they began. */
  function newest(isWanted: (summary: Summary) => boolean, limit: number): readonly Summary[] {
    putAway()
    const all = [...kept.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
    const found: Summary[] = []
    for (const one of all) {
      if (found.length >= limit) break
      const summary = summaryOf(one)
      if (isWanted(summary)) found.push(summary)
    }
    return found
  }

  return {
    add(recording) {
      waiting.push(recording)
      waitingLength += recording.length
      if (waiting.length >= mostWaiting || waitingLength >= mostWaitingLength) putAway()
    },
    list: (query) => newest((summary) => matches(summary, query), query.limit),
    between: (from, to, limit) => newest(({ at }) => at >= from && at < to, limit),
    find(id) {
      putAway()
      const one = kept.get(id)
      if (one === undefined) return undefined
      const recording = recall(one, 'all')
      return { exchange: toExchange(recording), golden: toGolden(recording) }
    },
    get count() {
      putAway()
      return kept.size
    },
    close() {
      waiting = []
      kept.clear()
      queue = []
      first = 0
    },
  }
}
