import type { Summary } from '../exchange.ts'
import { toTold } from '../telling/tell.ts'
import { type Kept, keep, recall } from './kept.ts'
import { type Bounds, matches, type Store } from './store.ts'

/** What the objects of one take beside its bytes. */
const objectBytes = 2048

/** In memory, as bytes: what they mean is made of them when somebody looks. */
export function createMemoryStore(initial: Bounds, now: () => number): Store {
  let bounds = initial
  /** In the order they ended. */
  const kept = new Map<string, Kept>()
  let bytes = 0

  function prune(): void {
    const { entries, bytes: most, retentionMs } = bounds
    const oldest = retentionMs === undefined ? 0 : now() - retentionMs
    for (const [id, one] of kept) {
      if (kept.size <= entries && bytes <= most && one.summary.at >= oldest) return
      kept.delete(id)
      bytes -= sizeOf(one)
    }
  }

  /** Newest first. They are added as they end, and told as they began. */
  function newest(isWanted: (summary: Summary) => boolean, limit: number): readonly Summary[] {
    prune()
    const summaries = Array.from(kept.values(), ({ summary }) => summary).filter(isWanted)
    return summaries.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
  }

  return {
    bound(next) {
      bounds = next
    },
    add(recording) {
      const one = keep(recording)
      kept.set(one.summary.id, one)
      bytes += sizeOf(one)
      prune()
    },
    list: (query) => newest((summary) => matches(summary, query), query.limit),
    between: (from, to, limit) => newest(({ at }) => at >= from && at < to, limit),
    find(id) {
      prune()
      const one = kept.get(id)
      return one && toTold(recall(one))
    },
    get count() {
      prune()
      return kept.size
    },
    close() {
      kept.clear()
      bytes = 0
    },
  }
}

const sizeOf = ({ bytes }: Kept): number => bytes.length + objectBytes
