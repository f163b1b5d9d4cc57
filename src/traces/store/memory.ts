import type { Asking } from '../../turn/observer.ts'
import type { Summary } from '../exchange.ts'
import type { Recorded } from '../recording/recording.ts'
import { toSummary, toView, toWords } from '../view/exchange-view.ts'
import { type Bounds, matches, type Store } from './store.ts'

/** What the objects of one take beside its bytes. */
const objectBytes = 2048

/** In memory, as bytes, which are read on demand. */
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
      return one && toView(recall(one))
    },
    words(id) {
      const one = kept.get(id)
      return one && toWords(recall(one))
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

/** A recording put away: one piece of memory, and the few things that cannot be made of bytes again. */
export interface Kept {
  readonly summary: Summary
  /** The recording as JSON without its texts, and behind it the texts in their order. */
  readonly bytes: Buffer
  readonly indexLength: number
  readonly askings: readonly Asking[]
  readonly secrets: readonly string[]
}

/** Of each text how many bytes it takes, and how long it was. */
type Sizes = readonly (readonly [bytes: number, length: number])[]

export function keep(recording: Recorded): Kept {
  const { texts, beginning, ...facts } = recording
  const { secrets, ...begun } = beginning
  const parts = texts.map(({ text }) => Buffer.from(text))
  const sizes: Sizes = texts.map(({ length }, nth) => [parts[nth]?.length ?? 0, length])
  const index = Buffer.from(JSON.stringify({ ...facts, beginning: begun, sizes }))
  return {
    summary: toSummary(recording),
    bytes: Buffer.concat([index, ...parts]),
    indexLength: index.length,
    askings: recording.attempts.map(({ asking }) => asking),
    secrets,
  }
}

/** The recording as it was. */
export function recall({ bytes, indexLength, askings, secrets }: Kept): Recorded {
  const index = JSON.parse(bytes.toString('utf8', 0, indexLength)) as Omit<Recorded, 'texts'> & {
    readonly sizes: Sizes
  }
  const { sizes, ...facts } = index
  let at = indexLength
  const texts = sizes.map(([size, length]) => {
    at += size
    return { text: bytes.toString('utf8', at - size, at), length }
  })
  const attempts = facts.attempts.map((attempt, nth) => ({ ...attempt, asking: askings[nth] ?? attempt.asking }))
  return { ...facts, beginning: { ...facts.beginning, secrets }, attempts, texts }
}
