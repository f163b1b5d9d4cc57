import type { Event, Usage } from '../../../protocol/event.ts'
import { unfinished } from '../../../protocol/finish.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { joinMetadata, type ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import { comment, eventStream, type StreamFacts, type StreamPrinter } from '../../door.ts'
import { toError } from '../errors.ts'
import { toKept } from '../kept/call-metadata.ts'
import { sign } from '../kept/signature.ts'
import { type Ending, type Identity, type Manner, noUsage, toStop, toUsage } from './wire.ts'

type Words = 'text' | 'thinking'

/** Blocks as they begin. */
const emptyBlocks: Readonly<Record<Words, string>> = {
  text: '{"type":"text","text":""}',
  thinking: '{"type":"thinking","thinking":"","signature":""}',
}

/** What a piece of each kind of block is called, up to its text. */
const pieces: Readonly<Record<Words | 'call', string>> = {
  text: 'text_delta","text":',
  thinking: 'thinking_delta","thinking":',
  call: 'input_json_delta","partial_json":',
}

/**
 * Events as this protocol streams them: blocks one after the other, each begun, told and ended. Ending the block of a call
 * is what makes clients run it, so one that was never completed is left open.
 */
export function createStream(identity: Identity, manner: Manner): StreamPrinter {
  let index = -1
  /** The block that is being told. */
  let open: Words | 'call' | undefined
  /** What every piece of it begins with. */
  let head = ''
  let before = ''
  let hasArguments = false
  /** White space that is worth a block only if words follow it. */
  let blank = ''
  let blankOf: Words = 'text'
  let metadata: ProviderMetadata | undefined
  let callId = ''
  let completeCalls = 0
  let isRefusal = false
  let ending: Ending | undefined
  let usage: Usage = noUsage

  function begin(kind: Words | 'call', block: string): string {
    index += 1
    open = kind
    head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"`
    before = head + pieces[kind]
    return print('content_block_start', `"index":${index},"content_block":${block}`)
  }

  /** A piece of the block that is being told: all but the piece is printed once. */
  const delta = (piece: string): string => `${before}${quote(piece)}}}\n\n`

  /** Ends what was said in words. A call is ended by nothing but its own end. */
  function close(): string {
    blank = ''
    if (open !== 'text' && open !== 'thinking') return ''
    const signed = open === 'thinking' ? `${head}signature_delta","signature":${quote(sign(metadata))}}}\n\n` : ''
    open = undefined
    return signed + print('content_block_stop', `"index":${index}`)
  }

  function say(kind: Words, text: string): string {
    if (open === kind) return delta(text)
    const said = (blankOf === kind ? blank : '') + text
    const closed = close()
    if (said.trim() === '') {
      blank = said
      blankOf = kind
      return closed
    }
    return `${closed}${begin(kind, emptyBlocks[kind])}${delta(said)}`
  }

  const tell = (json: string): string => {
    hasArguments = true
    return delta(json)
  }

  function startCall({ id, name, metadata: call }: Extract<Event, { type: 'call-start' }>): string {
    hasArguments = false
    callId = id
    const named = `"id":${quote(manner.callMetadata.idOf(id, toKept(call, metadata)))},"name":${quote(manner.names.toOuter(name))}`
    return close() + begin('call', `{"type":"tool_use",${named},"input":{}}`)
  }

  function endCall(): string {
    const empty = hasArguments ? '' : tell('{}')
    completeCalls += 1
    open = undefined
    return `${empty}${print('content_block_stop', `"index":${index}`)}`
  }

  function printOther(event: Event): string {
    switch (event.type) {
      case 'call-start':
        return startCall(event)
      case 'call-end':
        return endCall()
      case 'call-error':
        open = undefined
        return ''
      case 'provider-metadata':
        if (event.index === undefined) metadata = joinMetadata(metadata, event.fields)
        else manner.callMetadata.add(callId, event.fields)
        return ''
      case 'usage':
        usage = event
        return ''
      case 'finish':
        ending ??= { reason: event.reason, stop: event.stop, completeCalls, isRefusal }
        return close()
      default:
        // Notes, figures about tokens and remarks have no place on this wire.
        return ''
    }
  }

  function printDelta(kind: Delta['type'], text: string): string {
    if (text === '') return ''
    if (kind === 'call-delta') return tell(text)
    if (kind === 'reasoning-delta') return manner.showsThoughts ? say('thinking', text) : ''
    isRefusal ||= kind === 'refusal-delta'
    return say('text', text)
  }

  return {
    contentType: eventStream,
    beat: comment,
    open: ({ promptTokens }: StreamFacts) =>
      printObject('message_start', {
        message: {
          ...toHead(identity),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: toUsage({ promptTokens: promptTokens(), completionTokens: 0 }),
        },
      }),
    push(_, events) {
      let out = ''
      let kind: Delta['type'] | undefined
      let text = ''
      const flush = (): void => {
        if (kind !== undefined) out += printDelta(kind, text)
        kind = undefined
        text = ''
      }
      for (const event of events) {
        if (isDelta(event)) {
          if (kind !== event.type) flush()
          kind = event.type
          text += event.type === 'call-delta' ? event.json : event.text
        } else if (event.type !== 'note') {
          flush()
          out += printOther(event)
        }
      }
      flush()
      return out
    },
    end() {
      if (ending === undefined) throw unfinished()
      const last = printObject('message_delta', { delta: toStop(ending, manner), usage: toUsage(usage) })
      return last + printObject('message_stop', {})
    },
    fail: (error) => printObject('error', { error: toError(error) }),
  }
}

type Delta = Extract<Event, { type: 'text-delta' | 'refusal-delta' | 'reasoning-delta' | 'call-delta' }>

function isDelta(event: Event): event is Delta {
  return (
    event.type === 'text-delta' ||
    event.type === 'refusal-delta' ||
    event.type === 'reasoning-delta' ||
    event.type === 'call-delta'
  )
}

/** What a message begins with. */
export function toHead({ id, model }: Identity): JsonObject {
  return { id, type: 'message', role: 'assistant', model }
}

const quote = JSON.stringify

/** Clients of this protocol tell events by their name, and see none without. */
function print(type: string, inner: string): string {
  return `event: ${type}\ndata: {"type":"${type}",${inner}}\n\n`
}

function printObject(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}
