import { createMemory } from '../../../protocol/memory/memory.ts'
import { callsOf } from '../../../protocol/message.ts'
import type { UpstreamRequest } from '../../upstream.ts'
import type { EventStep } from '../../wire/stream.ts'
import { createCallKeys, createHearing } from './calls.ts'

const maxAnswers = 2_000
const maxThinkers = 1_000
const maxCharacters = 8 * 1024 * 1024

/** What a model thought before it called: for services that want it back from clients that drop it. */
export interface Thoughts {
  /** What is remembered of the conversation a request belongs to, and of nobody else's. */
  about(request: UpstreamRequest): Recollection
}

export interface Recollection {
  /** What was thought before a call that stands in the request. */
  recall(callId: string): string | undefined
  /** The model is known to think before it calls. */
  readonly thinks: boolean
  /** Watches the answer to the request; `end` keeps what it thought. */
  listen(): Required<EventStep>
}

/** A thought is found again by the call that came of it. The oldest are forgotten first. */
export function createThoughts(): Thoughts {
  const byCall = createMemory<string>({
    entries: maxAnswers,
    characters: maxCharacters,
    sizeOf: (thought) => thought.length,
  })
  const thinkers = new Set<string>()

  return {
    about(request) {
      const keyOf = createCallKeys(request)
      const known = new Map<string, string | undefined>()
      for (const message of request.messages) {
        const calls = callsOf(message)
        const [thought] = calls.flatMap(({ name, arguments: json }) => byCall.get(keyOf(name, json)) ?? [])
        // Where one id stands for two calls, nobody knows which of them is meant.
        for (const { id } of calls) known.set(id, known.has(id) ? undefined : thought)
      }
      return {
        recall: (callId) => known.get(callId),
        thinks: thinkers.has(request.model),
        listen() {
          const calls = createHearing()
          let thought = ''
          return {
            pass(events) {
              for (const event of events) {
                if (event.type === 'reasoning' && thought.length < maxCharacters / 8) thought += event.text
                else if (event.type === 'call') calls.hear(event)
              }
              return events
            },
            end() {
              for (const { name, json } of calls.heard) byCall.set(keyOf(name, json), thought)
              if (thought !== '' && thinkers.size < maxThinkers) thinkers.add(request.model)
            },
          }
        },
      }
    },
  }
}
