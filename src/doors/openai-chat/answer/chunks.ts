import type { GatewayError } from '../../../errors.ts'
import type { Event, Usage } from '../../../protocol/event.ts'
import { unfinished } from '../../../protocol/finish.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { sumUsage } from '../../../protocol/usage.ts'
import { comment, eventStream, type StreamPrinter } from '../../door.ts'
import { joinDeltas } from '../../shared/join-deltas.ts'
import { type Identity, type Manner, printError, toFinishReason, toUsage } from './completion.ts'

interface OpenCall {
  readonly id: string
  readonly index: number
  readonly custom: boolean
  /** What stands around a piece of its arguments. */
  readonly lead: string
  readonly foot: string
  begun: boolean
}

/**
 * One choice of a streamed answer. The envelope around a delta is printed once; a chunk then costs one JSON string
 * instead of an object. Deltas of one kind that arrived in one read leave as one chunk.
 */
class Choice {
  finished = false
  usage: Usage | undefined
  /** What the service says of the whole answer, with every chunk. */
  constant: JsonObject = {}
  #before: string
  readonly #after: string
  /** The same with the next chunk only. */
  #pending = ''
  readonly #calls = new Map<number, OpenCall>()
  readonly #manner: Manner
  #completeCalls = 0
  readonly #head: string
  readonly #lead: string
  readonly #ending: string

  constructor({ id, created, model }: Identity, choice: number, manner: Manner) {
    this.#head = `{"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)}`
    this.#lead = `"choices":[{"index":${choice},"delta":{`
    this.#before = whole('data: ', this.#head, ',', this.#lead)
    this.#ending = manner.includeUsage ? ',"usage":null}\n\n' : '}\n\n'
    this.#after = whole('},"finish_reason":null}]', this.#ending)
    this.#manner = manner
  }

  open(): string {
    return `${this.#before}"role":"assistant","content":""${this.#after}`
  }

  push(events: readonly Event[]): string {
    let out = ''
    for (const event of joinDeltas(events)) out += this.#print(event)
    return out
  }

  #chunk(delta: string): string {
    return this.#before + delta + (this.#pending === '' ? this.#after : `},"finish_reason":null}]${this.#tail()}`)
  }

  #tail(): string {
    const late = this.#pending
    this.#pending = ''
    return late + this.#ending
  }

  #print(event: Event): string {
    switch (event.type) {
      case 'text-delta':
        return this.#printText('"content":', event.text)
      case 'refusal-delta':
        return this.#printText('"refusal":', event.text)
      case 'reasoning-delta':
        return event.text === '' ? '' : this.#chunk(printReasoning(JSON.stringify(event.text)))
      case 'call-delta': {
        const call = this.#calls.get(event.index)
        return call === undefined || event.json === '' ? '' : this.#continueCall(call, event.json)
      }
      case 'call-start':
        return this.#startCall(event)
      case 'call-end': {
        const call = this.#calls.get(event.index)
        return call === undefined ? '' : this.#endCall(call)
      }
      case 'finish': {
        if (this.finished) return ''
        this.finished = true
        const reason = toFinishReason(event.reason, this.#completeCalls, this.#manner)
        return `${this.#before}},"finish_reason":"${reason}"}]${this.#tail()}`
      }
      case 'usage':
        this.usage = event
        return ''
      case 'remarks':
        this.#addRemarks(event.fields)
        return ''
      case 'provider-metadata':
        return this.#printMetadata(event)
      case 'logprobs':
        return `${this.#before}},"logprobs":{"content":${JSON.stringify(event.content)},"refusal":null},"finish_reason":null}]${this.#tail()}`
      default:
        // A note is not for the client. A call that failed after its head went out stays unfinished.
        return ''
    }
  }

  #printText(field: string, text: string): string {
    return text === '' ? '' : this.#chunk(field + JSON.stringify(text))
  }

  #addRemarks(fields: JsonObject): void {
    const { system_fingerprint: mark, service_tier: tier, ...others } = fields as Record<string, Json | undefined>
    this.constant = { ...this.constant, ...(mark && { system_fingerprint: mark }), ...(tier && { service_tier: tier }) }
    this.#before = whole('data: ', this.#head, printFields(this.constant), ',', this.#lead)
    this.#pending = printFields(others as JsonObject)
  }

  #printMetadata({ index, fields }: Extract<Event, { type: 'provider-metadata' }>): string {
    const call = index === undefined ? undefined : this.#calls.get(index)
    if (index === undefined) return this.#chunk(printFields(fields).slice(1))
    return call === undefined ? '' : this.#chunk(`"tool_calls":[{"index":${call.index}${printFields(fields)}}]`)
  }

  #callIdOf(call: OpenCall): string {
    return this.#manner.quirks.callIdField ? `,"call_id":${JSON.stringify(call.id)}` : ''
  }

  #startCall(event: Extract<Event, { type: 'call-start' }>): string {
    const { customTools, legacyFunctions } = this.#manner
    const custom = customTools.has(event.name)
    const index = this.#calls.size
    const inner = custom ? '"custom":{"input":' : '"function":{"arguments":'
    const [lead, foot] = legacyFunctions
      ? ['"function_call":{"arguments":', '}']
      : [whole('"tool_calls":[{"index":', String(index), ',', inner), '}}]']
    const call: OpenCall = { id: event.id, index, custom, lead, foot, begun: false }
    this.#calls.set(event.index, call)
    const name = `"name":${JSON.stringify(event.name)}`
    if (legacyFunctions) return call.index > 0 ? '' : this.#chunk(`"function_call":{${name},"arguments":""}`)
    const { function: inside, ...outer } = (event.metadata ?? {}) as Record<string, Json>
    const within = isJsonObject(inside) ? printFields(inside) : ''
    const type = custom
      ? `"custom","custom":{${name},"input":""}`
      : `"function","function":{${name},"arguments":""${within}}`
    const ids = `"id":${JSON.stringify(call.id)}${this.#callIdOf(call)}`
    return this.#chunk(`"tool_calls":[{"index":${call.index},${ids},"type":${type}${printFields(outer)}}]`)
  }

  #continueCall(call: OpenCall, text: string): string {
    const { legacyFunctions } = this.#manner
    const isFirst = !call.begun
    call.begun = true
    if (legacyFunctions && call.index > 0) return ''
    const id = isFirst && !legacyFunctions ? this.#callIdOf(call) : ''
    const mark = `"tool_calls":[{"index":${call.index}`
    const lead = id === '' ? call.lead : mark + id + call.lead.slice(mark.length)
    return this.#chunk(lead + JSON.stringify(text) + call.foot)
  }

  #endCall(call: OpenCall): string {
    this.#completeCalls += 1
    // Some clients drop a call whose arguments are an empty string.
    return call.begun || call.custom ? '' : this.#continueCall(call, '{}')
  }
}

/** In one piece: what is printed with every chunk would be put together anew each time. */
function whole(...parts: readonly string[]): string {
  return parts.join('')
}

/** Fields to go on with, in an object that has begun. */
function printFields(fields: JsonObject): string {
  return Object.keys(fields).length === 0 ? '' : `,${JSON.stringify(fields).slice(1, -1)}`
}

/** Events as `chat.completion.chunk`s, for one choice or several. */
export function createChunks(identity: Identity, choiceCount: number, manner: Manner): StreamPrinter {
  return new Chunks(identity, choiceCount, manner)
}

class Chunks implements StreamPrinter {
  readonly contentType = eventStream
  readonly beat = comment
  readonly #first: Choice
  readonly #choices: readonly Choice[]
  readonly #identity: Identity
  readonly #manner: Manner

  constructor(identity: Identity, choiceCount: number, manner: Manner) {
    this.#first = new Choice(identity, 0, manner)
    const others = Array.from({ length: choiceCount - 1 }, (_, index) => new Choice(identity, index + 1, manner))
    this.#choices = [this.#first, ...others]
    this.#identity = identity
    this.#manner = manner
  }

  open(): string {
    return this.#choices.map((choice) => choice.open()).join('')
  }

  push(index: number, events: readonly Event[]): string {
    return index === 0 ? this.#first.push(events) : (this.#choices[index]?.push(events) ?? '')
  }

  end(): string {
    if (this.#choices.some((choice) => !choice.finished)) throw unfinished()
    const usage = sumUsage(this.#choices.map((choice) => choice.usage))
    if (!this.#manner.includeUsage || usage === undefined) return 'data: [DONE]\n\n'
    const { id, created, model } = this.#identity
    const said = this.#first.constant
    const last = { id, object: 'chat.completion.chunk', created, model, ...said, choices: [], usage: toUsage(usage) }
    return `data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`
  }

  fail(error: GatewayError): string {
    return `data: ${printError(error)}\n\n`
  }
}

/** Under both names clients look for: those that know the one do not read the other. */
function printReasoning(literal: string): string {
  return `"reasoning_content":${literal},"reasoning":${literal}`
}
