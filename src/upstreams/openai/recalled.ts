import { sha256Url } from '../../bytes.ts'
import type { Call } from '../../protocol/call.ts'
import { toCustomArguments } from '../../protocol/custom.ts'
import { toCanonicalJson } from '../../protocol/json.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import { callsOf, textOf } from '../../protocol/message.ts'
import { joinMetadata, type ProviderMetadata } from '../../protocol/provider-metadata.ts'
import type { Traits } from '../flavours/flavour.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import type { EventStep } from '../wire/stream.ts'

const maxCalls = 2_000
const maxThinkers = 1_000
const maxCharacters = 8 * 1024 * 1024

/** What came with a call and its service wants back, for clients that drop it. */
export interface Recalled {
  /** What the model thought before it called. */
  readonly thought?: string | undefined
  /** Of the message that made the call. */
  readonly message?: ProviderMetadata | undefined
  readonly call?: ProviderMetadata | undefined
}

export interface CallMemory {
  /** What is remembered of the conversation a request belongs to, and of no other. */
  about(request: UpstreamRequest, traits: Pick<Traits, 'reasoning' | 'providerMetadata'>): Recollection
}

export interface Recollection {
  /** What came with a call that stands in the request. */
  recall(callId: string): Recalled | undefined
  /** The model is known to think before it calls. */
  readonly thinks: boolean
  /** Watches the answer to the request; `end` keeps what came with its calls. */
  watch(): Required<EventStep>
}

/** What came with a call is found again by the call. The oldest are forgotten first. */
export function createCallMemory(): CallMemory {
  const remembered = createMemory<Recalled>({
    entries: maxCalls,
    characters: maxCharacters,
    sizeOf: ({ thought = '', ...metadata }) => thought.length + JSON.stringify(metadata).length,
  })
  const thinkers = new Set<string>()

  return {
    about(request, { reasoning, providerMetadata }) {
      const keyOf = createCallKeys(request)
      const found = new Map<string, Recalled | undefined>()
      for (const message of request.messages) {
        const calls = callsOf(message).map((call) => ({
          ...call,
          known: remembered.get(keyOf(call.name, argumentsOf(call))),
        }))
        const thought = calls.find(({ known }) => known?.thought !== undefined)?.known?.thought
        // An id that stands for two calls stands for none.
        for (const { id, known } of calls) found.set(id, found.has(id) ? undefined : { ...known, thought })
      }
      return {
        recall: (callId) => found.get(callId),
        thinks: thinkers.has(request.model),
        watch() {
          const calls = createCallCollector()
          let thought = ''
          let message: ProviderMetadata | undefined
          return {
            pass(events) {
              for (const event of events) {
                if (event.type === 'reasoning' && thought.length < maxCharacters / 8) thought += event.text
                else if (event.type === 'provider-metadata') message = joinMetadata(message, event.fields)
                else if (event.type === 'call') calls.add(event)
              }
              return events
            },
            end() {
              for (const { name, json, isText, metadata: call } of calls.collected) {
                const kept = {
                  ...(reasoning === 'remembered' && { thought }),
                  ...(providerMetadata === 'remembered' && { message, call }),
                }
                const key = keyOf(name, isText ? toCustomArguments(json) : json)
                if (Object.values(kept).some((part) => part !== undefined)) remembered.set(key, kept)
              }
              if (thought !== '' && thinkers.size < maxThinkers) thinkers.add(request.model)
            },
          }
        },
      }
    },
  }
}

/**
 * Makes the keys of a conversation's calls, to be asked for in their order. A call is found again by whose conversation
 * it was in, by what that began with, and by what it says. The ids of calls do not count: services begin at `call_0` in
 * every answer, and the turn gives ids of its own to those that are taken. The same call a second time is told from the
 * first by its number.
 */
function createCallKeys(request: UpstreamRequest): (name: string, json: string) => string {
  const { model, owner = '', clientKey = '', messages } = request
  const question = messages.find(({ role }) => role === 'user')
  const scope = JSON.stringify([owner, clientKey, model, question === undefined ? '' : textOf(question.content)])
  const times = new Map<string, number>()
  return (name, json) => {
    const call = JSON.stringify([name, isNothing(json) ? '{}' : toCanonicalJson(json)])
    const before = times.get(call) ?? 0
    times.set(call, before + 1)
    return sha256Url(`${scope}\n${before}\n${call}`)
  }
}

function argumentsOf({ kind, arguments: given }: Call): string {
  return kind === 'custom' ? toCustomArguments(given) : given
}

/** What services send for no arguments; clients get an empty object for it. */
function isNothing(json: string): boolean {
  return ['', 'null', '[]'].includes(json.trim())
}

interface CollectedCall {
  readonly id: string | undefined
  readonly isText: boolean
  name: string
  json: string
  metadata: ProviderMetadata | undefined
}

/** The calls of an answer out of their pieces: a new number or a new id is a new call. */
function createCallCollector() {
  const collected: CollectedCall[] = []
  const places = new Map<number | undefined, CollectedCall>()
  return {
    collected: collected as readonly CollectedCall[],
    add({ index, id, name = '', json = '', isText, metadata }: Extract<UpstreamEvent, { type: 'call' }>): void {
      let call = places.get(index)
      if (call === undefined || (id !== undefined && call.id !== undefined && id !== call.id)) {
        call = { id, isText: isText === true, name: '', json: '', metadata: undefined }
        collected.push(call)
        places.set(index, call)
      }
      call.name ||= name
      call.json += json
      call.metadata = metadata ?? call.metadata
    },
  }
}
