import { createMemory } from '../../../protocol/memory/memory.ts'
import { callsOf } from '../../../protocol/message.ts'
import { joinMetadata, type ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import type { UpstreamRequest } from '../../upstream.ts'
import type { EventStep } from '../../wire/stream.ts'
import { createCallKeys, createHearing } from './calls.ts'

const maxCalls = 2_000
const maxCharacters = 8 * 1024 * 1024

export interface Kept {
  /** Of the message that made the call. */
  readonly message?: ProviderMetadata | undefined
  readonly call?: ProviderMetadata | undefined
}

/** What a service wants back with its calls, for clients that drop it. */
export interface MetadataMemory {
  /** What is remembered of the conversation a request belongs to, and of nobody else's. */
  about(request: UpstreamRequest): Remembered
}

export interface Remembered {
  /** What was said with a call that stands in the request. */
  recall(callId: string): Kept | undefined
  /** Watches the answer to the request, and keeps what came with its calls. */
  keep(): EventStep
}

/** The oldest are forgotten first. */
export function createMetadataMemory(): MetadataMemory {
  const known = createMemory<Kept>({
    entries: maxCalls,
    characters: maxCharacters,
    sizeOf: (kept) => JSON.stringify(kept).length,
  })

  return {
    about(request) {
      const keyOf = createCallKeys(request)
      const found = new Map<string, Kept | undefined>()
      for (const message of request.messages) {
        for (const { id, name, arguments: json } of callsOf(message)) {
          const kept = known.get(keyOf(name, json))
          // Where one id stands for two calls, nobody knows which of them is meant.
          found.set(id, found.has(id) ? undefined : kept)
        }
      }
      return {
        recall: (callId) => found.get(callId),
        keep() {
          const calls = createHearing()
          let message: ProviderMetadata | undefined
          return {
            pass(events) {
              for (const event of events) {
                if (event.type === 'provider-metadata') message = joinMetadata(message, event.fields)
                else if (event.type === 'call') calls.hear(event)
              }
              return events
            },
            end() {
              for (const { name, json, metadata: call } of calls.heard) {
                const key = keyOf(name, json)
                if (message !== undefined || call !== undefined) known.set(key, { message, call })
              }
            },
          }
        },
      }
    },
  }
}
