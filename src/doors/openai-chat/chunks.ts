import type { Event, Usage } from '../../protocol/event.ts'
import { unfinished } from '../../protocol/finish.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { sumUsage } from '../../protocol/usage.ts'
import type { Writable } from '../../protocol/writable.ts'
import { comment, eventStream, type StreamPrinter } from '../door.ts'
import { printError } from './errors.ts'
import { type Identity, type Manner, toFinishReason, toUsage } from './wire.ts'

interface OpenCall {
  readonly id: string
  readonly index: number
  readonly custom: boolean
  begun: boolean
}

interface Choice {
  open(): string
  push(events: readonly Event[]): string
  readonly finished: boolean
  readonly usage: Usage | undefined
  /** What the service says of the whole answer, with every chunk. */
  readonly constant: JsonObject
}

/**
 * One choice of a streamed answer. The envelope around a delta is printed once; a chunk then costs one JSON string
 * instead of an object. Deltas of one kind that arrived in one read leave as one chunk.
 */
function createChoice(identity: Identity, choice: number, manner: Manner): Choice {
  const { id, created, model } = identity
  const head = `{"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)}`
  const lead = `"choices":[{"index":${choice},"delta":{`
  let before = `data: ${head},${lead}`
  const ending = manner.includeUsage ? ',"usage":null}\n\n' : '}\n\n'
  const after = `},"finish_reason":null}]${ending}`

  const calls = new Map<number, OpenCall>()
  let completeCalls = 0
  /** The same with the next chunk only. */
  let pending = ''

  const chunk = (delta: string): string =>
    before + delta + (pending === '' ? after : `},"finish_reason":null}]${tail()}`)

  function tail(): string {
    const late = pending
    pending = ''
    return late + ending
  }

  function hearRemarks(fields: JsonObject): void {
    const { system_fingerprint: mark, service_tier: tier, ...others } = fields as Record<string, Json | undefined>
    said.constant = { ...said.constant, ...(mark && { system_fingerprint: mark }), ...(tier && { service_tier: tier }) }
    before = `data: ${head}${printFields(said.constant)},${lead}`
    pending = printFields(others as JsonObject)
  }

  function printKeepsake({ index, fields }: Extract<Event, { type: 'keepsake' }>): string {
    const call = index === undefined ? undefined : calls.get(index)
    if (index === undefined) return chunk(printFields(fields).slice(1))
    return call === undefined ? '' : chunk(`"tool_calls":[{"index":${call.index}${printFields(fields)}}]`)
  }
  const callIdOf = (call: OpenCall): string =>
    manner.quirks.callIdField ? `,"call_id":${JSON.stringify(call.id)}` : ''

  function startCall(event: Extract<Event, { type: 'call-start' }>): string {
    const custom = manner.customTools.has(event.name)
    const call: OpenCall = { id: event.id, index: calls.size, custom, begun: false }
    calls.set(event.index, call)
    const name = `"name":${JSON.stringify(event.name)}`
    if (manner.legacyFunctions) return call.index > 0 ? '' : chunk(`"function_call":{${name},"arguments":""}`)
    const { function: inner, ...outer } = (event.keepsake ?? {}) as Record<string, Json>
    const within = isJsonObject(inner) ? printFields(inner) : ''
    const type = custom
      ? `"custom","custom":{${name},"input":""}`
      : `"function","function":{${name},"arguments":""${within}}`
    const ids = `"id":${JSON.stringify(call.id)}${callIdOf(call)}`
    return chunk(`"tool_calls":[{"index":${call.index},${ids},"type":${type}${printFields(outer)}}]`)
  }

  function continueCall(call: OpenCall, text: string): string {
    const first = !call.begun
    call.begun = true
    const json = JSON.stringify(text)
    if (manner.legacyFunctions) return call.index > 0 ? '' : chunk(`"function_call":{"arguments":${json}}`)
    const inner = call.custom ? `"custom":{"input":${json}}` : `"function":{"arguments":${json}}`
    return chunk(`"tool_calls":[{"index":${call.index}${first ? callIdOf(call) : ''},${inner}}]`)
  }

  function endCall(call: OpenCall): string {
    completeCalls += 1
    // Some clients drop a call whose arguments are an empty string.
    return call.begun || call.custom ? '' : continueCall(call, '{}')
  }

  function printDelta(kind: DeltaKind, text: string, index: number): string {
    if (text === '') return ''
    if (kind === 'text-delta') return chunk(`"content":${JSON.stringify(text)}`)
    if (kind === 'refusal-delta') return chunk(`"refusal":${JSON.stringify(text)}`)
    if (kind === 'reasoning-delta') return chunk(printReasoning(JSON.stringify(text)))
    const call = calls.get(index)
    return call === undefined ? '' : continueCall(call, text)
  }

  function printOther(event: Event): string {
    switch (event.type) {
      case 'call-start':
        return startCall(event)
      case 'call-end': {
        const call = calls.get(event.index)
        return call === undefined ? '' : endCall(call)
      }
      case 'finish': {
        if (said.finished) return ''
        said.finished = true
        const reason = toFinishReason(event.reason, completeCalls, manner)
        return `${before}},"finish_reason":"${reason}"}]${tail()}`
      }
      case 'usage':
        said.usage = event
        return ''
      case 'remarks':
        hearRemarks(event.fields)
        return ''
      case 'keepsake':
        return printKeepsake(event)
      case 'logprobs':
        return `${before}},"logprobs":{"content":${JSON.stringify(event.content)},"refusal":null},"finish_reason":null}]${tail()}`
      default:
        // A note is not for the client. A call that failed after its head went out stays unfinished.
        return ''
    }
  }

  const said: Writable<Choice> = {
    finished: false,
    usage: undefined,
    constant: {},
    open: () => `${before}"role":"assistant","content":""${after}`,
    push(events) {
      const [first] = events
      // Mostly it is one piece of the text.
      if (events.length === 1 && first?.type === 'text-delta') return printDelta(first.type, first.text, 0)
      let out = ''
      let kind: DeltaKind | undefined
      let text = ''
      let index = 0
      const flush = (): void => {
        if (kind !== undefined) out += printDelta(kind, text, index)
        kind = undefined
        text = ''
      }
      for (const event of events) {
        if (event.type === 'text-delta' || event.type === 'refusal-delta' || event.type === 'reasoning-delta') {
          if (kind !== event.type) flush()
          kind = event.type
          text += event.text
        } else if (event.type === 'call-delta') {
          if (kind !== event.type || index !== event.index) flush()
          kind = event.type
          index = event.index
          text += event.json
        } else if (event.type !== 'note') {
          flush()
          out += printOther(event)
        }
      }
      flush()
      return out
    },
  }
  return said
}

/** Fields to go on with, in an object that has begun. */
function printFields(fields: JsonObject): string {
  return Object.keys(fields).length === 0 ? '' : `,${JSON.stringify(fields).slice(1, -1)}`
}

type DeltaKind = 'text-delta' | 'refusal-delta' | 'reasoning-delta' | 'call-delta'

/** Events as `chat.completion.chunk`s, for one choice or several. */
export function createChunks(identity: Identity, choiceCount: number, manner: Manner): StreamPrinter {
  const choices = Array.from({ length: choiceCount }, (_, index) => createChoice(identity, index, manner))
  return {
    contentType: eventStream,
    beat: comment,
    open: () => choices.map((choice) => choice.open()).join(''),
    push: (index, events) => choices[index]?.push(events) ?? '',
    end() {
      if (choices.some((choice) => !choice.finished)) {
        throw unfinished()
      }
      const usage = sumUsage(choices.map((choice) => choice.usage))
      if (!manner.includeUsage || usage === undefined) return 'data: [DONE]\n\n'
      const { id, created, model } = identity
      const said = choices[0]?.constant
      const last = { id, object: 'chat.completion.chunk', created, model, ...said, choices: [], usage: toUsage(usage) }
      return `data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`
    },
    fail: (error) => `data: ${printError(error)}\n\n`,
  }
}

/** Under both names clients look for: those that know the one do not read the other. */
function printReasoning(literal: string): string {
  return `"reasoning_content":${literal},"reasoning":${literal}`
}
