import type { Event, FinishReason, Note, Usage } from './event.ts'
import type { Json, JsonObject } from './json.ts'
import { joinMetadata, type ProviderMetadata } from './provider-metadata.ts'

export interface FoldedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly metadata?: ProviderMetadata
}

/** A whole answer: what its events add up to. */
export interface Answer {
  readonly content: string
  readonly refusal: string
  readonly reasoning: string
  readonly calls: readonly FoldedCall[]
  readonly finish: FinishReason | undefined
  /** The sequence that ended it, where one did. */
  readonly stop: string | undefined
  readonly usage: Usage | undefined
  readonly notes: readonly Note[]
  readonly logprobs: readonly Json[]
  readonly metadata?: ProviderMetadata
  readonly remarks?: JsonObject
}

/** Adds up events. A call that was never completed is no call: the text it was read from goes back to the content. */
export function fold(events: Iterable<Event>): Answer {
  let content = ''
  let refusal = ''
  let reasoning = ''
  let finish: FinishReason | undefined
  let stop: string | undefined
  let usage: Usage | undefined
  let metadata: ProviderMetadata | undefined
  let remarks: JsonObject | undefined
  const open = new Map<number, { id: string; name: string; json: string[]; metadata?: ProviderMetadata | undefined }>()
  const calls: FoldedCall[] = []
  const notes: Note[] = []
  const logprobs: Json[] = []
  for (const event of events) {
    switch (event.type) {
      case 'text-delta':
        content += event.text
        break
      case 'refusal-delta':
        refusal += event.text
        break
      case 'reasoning-delta':
        reasoning += event.text
        break
      case 'call-start':
        open.set(event.index, { id: event.id, name: event.name, json: [], metadata: event.metadata })
        break
      case 'call-delta':
        open.get(event.index)?.json.push(event.json)
        break
      case 'call-end': {
        const call = open.get(event.index)
        if (call !== undefined) {
          const { id, name, json, metadata: kept } = call
          calls.push({ id, name, arguments: json.join(''), ...(kept !== undefined && { metadata: kept }) })
        }
        open.delete(event.index)
        break
      }
      case 'call-error':
        open.delete(event.index)
        content += event.raw
        break
      case 'note':
        notes.push(event)
        break
      case 'logprobs':
        logprobs.push(...event.content)
        break
      case 'provider-metadata': {
        const call = event.index === undefined ? undefined : open.get(event.index)
        if (event.index === undefined) metadata = joinMetadata(metadata, event.fields)
        else if (call !== undefined) call.metadata = joinMetadata(call.metadata, event.fields)
        break
      }
      case 'remarks':
        remarks = { ...remarks, ...event.fields }
        break
      case 'usage': {
        const { type, ...figures } = event
        usage = figures
        break
      }
      case 'finish':
        finish = event.reason
        stop = event.stop
        break
      default:
        event satisfies never
    }
  }
  return {
    content,
    refusal,
    reasoning,
    calls,
    finish,
    stop,
    usage,
    notes,
    logprobs,
    ...(metadata !== undefined && { metadata }),
    ...(remarks !== undefined && { remarks }),
  }
}
