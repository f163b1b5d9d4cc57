import { createHash } from 'node:crypto'
import { joinKeepsakes, type Keepsake } from '../protocol/keepsake.ts'
import type { Thread, UpstreamEvent } from './upstream.ts'

const maxCalls = 2_000
const maxCharacters = 8 * 1024 * 1024

export interface Kept {
  /** Of the message that made the call. */
  readonly message?: Keepsake | undefined
  readonly call?: Keepsake | undefined
}

/** What a service wants back with its calls, for clients that drop it. */
export interface Keepsakes {
  /** What was said with a call in this place of this conversation. */
  recall(thread: Thread | undefined, place: number, callId: string): Kept | undefined
  /** Passes an answer on, and keeps what came with its calls. */
  keep(reads: AsyncIterable<readonly UpstreamEvent[]>, thread: Thread): AsyncGenerator<readonly UpstreamEvent[], void>
}

/** A call is known by its id, by whose conversation it is, and by all that was said in it before. The oldest go first. */
export function createKeepsakes(): Keepsakes {
  const known = new Map<string, Kept & { readonly size: number }>()
  let characters = 0

  function put(key: string, kept: Kept): void {
    const size = JSON.stringify(kept).length
    characters += size - (known.get(key)?.size ?? 0)
    known.delete(key)
    known.set(key, { ...kept, size })
    for (const [oldest, { size: freed }] of known) {
      if (known.size <= maxCalls && characters <= maxCharacters) break
      known.delete(oldest)
      characters -= freed
    }
  }

  return {
    recall(thread, place, callId) {
      if (thread === undefined || known.size === 0) return undefined
      return known.get(keyOf(thread, place, callId))
    },
    async *keep(reads, thread) {
      const place = thread.marks().length
      let message: Keepsake | undefined
      const calls = new Map<string, Keepsake | undefined>()
      for await (const events of reads) {
        for (const event of events) {
          if (event.type === 'keepsake') message = joinKeepsakes(message, event.fields)
          if (event.type !== 'call' || event.id === undefined) continue
          calls.set(event.id, event.keepsake ?? calls.get(event.id))
        }
        yield events
      }
      for (const [id, call] of calls) {
        if (message !== undefined || call !== undefined) put(keyOf(thread, place, id), { message, call })
      }
    },
  }
}

function keyOf(thread: Thread, place: number, callId: string): string {
  const before = JSON.stringify([thread.owner, thread.marks().slice(0, place)])
  return `${createHash('sha256').update(before).digest('base64')} ${callId}`
}
