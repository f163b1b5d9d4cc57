import type { UpstreamEvent } from './upstream.ts'

const maxAnswers = 2_000
const maxCharacters = 8 * 1024 * 1024

/** What a model thought before it called, by the ids of its calls: for services that want it back from clients that drop it. */
export interface Thoughts {
  recall(callId: string): string | undefined
  /** Watches one answer; `end` keeps what it thought. */
  listen(): { hear(events: readonly UpstreamEvent[]): void; end(): void }
}

/** The oldest answers are forgotten first. */
export function createThoughts(): Thoughts {
  const byCall = new Map<string, string>()
  let characters = 0

  function forget(id: string): void {
    characters -= byCall.get(id)?.length ?? 0
    byCall.delete(id)
  }

  return {
    recall: (callId) => byCall.get(callId),
    listen() {
      let thought = ''
      const ids = new Set<string>()
      return {
        hear(events) {
          for (const event of events) {
            if (event.type === 'reasoning' && thought.length < maxCharacters / 8) thought += event.text
            else if (event.type === 'call' && event.id !== undefined) ids.add(event.id)
          }
        },
        end() {
          for (const id of ids) {
            forget(id)
            byCall.set(id, thought)
            characters += thought.length
          }
          for (const oldest of byCall.keys()) {
            if (byCall.size <= maxAnswers && characters <= maxCharacters) break
            forget(oldest)
          }
        },
      }
    },
  }
}
