import type { Summary } from './exchange.ts'
import { toGolden } from './golden.ts'
import type { Recording } from './recording.ts'
import { type Bounds, matches, type Store } from './store.ts'
import { toExchange, toSummary } from './tell.ts'

/** In memory, as they were recorded: what they mean is made of them when somebody looks. */
export function createMemoryStore(bounds: () => Bounds, now: () => number): Store {
  const kept = new Map<string, { readonly recording: Recording; readonly size: number }>()
  const summaries = new WeakMap<Recording, Summary>()
  let bytes = 0

  function drop(id: string, size: number): void {
    kept.delete(id)
    bytes -= size
  }

  function prune(): void {
    const { entries, bytes: most, retentionMs } = bounds()
    const oldest = retentionMs === undefined ? 0 : now() - retentionMs
    for (const [id, { recording, size }] of kept) {
      if (kept.size <= entries && bytes <= most && recording.beginning.at >= oldest) return
      drop(id, size)
    }
  }

  function summaryOf(recording: Recording): Summary {
    const known = summaries.get(recording) ?? toSummary(recording)
    summaries.set(recording, known)
    return known
  }

  /** Newest first. They are added as they end, and told as they began. */
  function newest(isWanted: (summary: Summary) => boolean, limit: number): readonly Summary[] {
    prune()
    const all = [...kept.values()].map(({ recording }) => recording)
    all.sort((a, b) => (a.beginning.id < b.beginning.id ? 1 : -1))
    const found: Summary[] = []
    for (const recording of all) {
      if (found.length >= limit) break
      const summary = summaryOf(recording)
      if (isWanted(summary)) found.push(summary)
    }
    return found
  }

  return {
    add(recording) {
      const { size } = recording
      kept.set(recording.beginning.id, { recording, size })
      bytes += size
      prune()
    },
    list: (query) => newest((summary) => matches(summary, query), query.limit),
    between: (from, to, limit) => newest(({ at }) => at >= from && at < to, limit),
    find(id) {
      prune()
      const recording = kept.get(id)?.recording
      return recording && { exchange: toExchange(recording), golden: toGolden(recording) }
    },
    get count() {
      prune()
      return kept.size
    },
    close: () => kept.clear(),
  }
}
