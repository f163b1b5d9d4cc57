import { GatewayError } from '../../errors.ts'
import type { Event, Usage } from '../../protocol/event.ts'
import { comment, eventStream, type StreamPrinter } from '../door.ts'
import { printError } from './errors.ts'
import { type Identity, type Manner, sumUsage, toFinishReason, toUsage } from './wire.ts'

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
}

/**
 * One choice of a streamed answer. The envelope around a delta is printed once; a chunk then costs one JSON string
 * instead of an object. Deltas of one kind that arrived in one read leave as one chunk.
 */
function createChoice(identity: Identity, choice: number, manner: Manner): Choice {
  const { id, created, model } = identity
  const head = `{"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)}`
  const before = `data: ${head},"choices":[{"index":${choice},"delta":{`
  const ending = manner.includeUsage ? ',"usage":null}\n\n' : '}\n\n'
  const after = `},"finish_reason":null}]${ending}`

  const calls = new Map<number, OpenCall>()
  let completeCalls = 0
  let finished = false
  let usage: Usage | undefined

  const chunk = (delta: string): string => before + delta + after
  const callIdOf = (call: OpenCall): string =>
    manner.quirks.callIdField ? `,"call_id":${JSON.stringify(call.id)}` : ''

  function startCall(event: Extract<Event, { type: 'call-start' }>): string {
    const custom = manner.customTools.has(event.name)
    const call: OpenCall = { id: event.id, index: calls.size, custom, begun: false }
    calls.set(event.index, call)
    const name = `"name":${JSON.stringify(event.name)}`
    if (manner.legacyFunctions) return call.index > 0 ? '' : chunk(`"function_call":{${name},"arguments":""}`)
    const type = custom ? `"custom","custom":{${name},"input":""}` : `"function","function":{${name},"arguments":""}`
    const ids = `"id":${JSON.stringify(call.id)}${callIdOf(call)}`
    return chunk(`"tool_calls":[{"index":${call.index},${ids},"type":${type}}]`)
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
        if (finished) return ''
        finished = true
        const reason = toFinishReason(event.reason, completeCalls, manner)
        return `${before}},"finish_reason":"${reason}"}]${ending}`
      }
      case 'usage':
        usage = event
        return ''
      case 'logprobs':
        return `${before}},"logprobs":{"content":${JSON.stringify(event.content)},"refusal":null},"finish_reason":null}]${ending}`
      default:
        // A note is not for the client. A call that failed after its head went out stays unfinished.
        return ''
    }
  }

  return {
    open: () => chunk('"role":"assistant","content":""'),
    push(events) {
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
    get finished() {
      return finished
    },
    get usage() {
      return usage
    },
  }
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
        throw new GatewayError('upstream_truncated', 'The model stopped without saying that it had finished.')
      }
      const usage = sumUsage(choices.map((choice) => choice.usage))
      if (!manner.includeUsage || usage === undefined) return 'data: [DONE]\n\n'
      const { id, created, model } = identity
      const last = { id, object: 'chat.completion.chunk', created, model, choices: [], usage: toUsage(usage) }
      return `data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`
    },
    fail: (error) => `data: ${printError(error)}\n\n`,
  }
}

/** Under both names clients look for: those that know the one do not read the other. */
function printReasoning(literal: string): string {
  return `"reasoning_content":${literal},"reasoning":${literal}`
}
