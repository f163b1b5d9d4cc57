import type { Event, FinishReason, Usage } from '../../../protocol/event.ts'
import { unfinished } from '../../../protocol/finish.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../protocol/json.ts'
import { joinMetadata, type ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import type { Writable } from '../../../protocol/writable.ts'
import { joinDeltas } from '../../shared/join-deltas.ts'
import { seal } from '../../shared/seal.ts'
import type { ToolNames } from '../../shared/tools.ts'
import { type CallMetadata, toKept } from '../kept/call-metadata.ts'

/** What every piece of one answer is made of. */
export interface Identity {
  readonly id: string
  /** As the client asked for it. */
  readonly model: string
}

/** How this client wants to be answered. */
export interface Manner {
  /** Thoughts are only shown to clients that asked for them. */
  readonly showsThoughts: boolean
  /** Fewer tokens were asked for than the client allowed, because the model's context has no room for more. */
  readonly isFull: boolean
  readonly names: ToolNames
  readonly callMetadata: CallMetadata
  /** What was cleared of the conversation, where the client asked for that. */
  readonly appliedEdits: readonly JsonObject[] | undefined
}

export type BlockKind = 'text' | 'thinking' | 'call'

/** Takes the blocks of a streamed message, one after the other. */
export interface Wire {
  begin(kind: BlockKind, block: string): void
  delta(piece: string): void
  signature(signature: string): void
  stop(): void
}

/** For answers in one piece. */
export const silentWire: Wire = {
  begin: () => undefined,
  delta: () => undefined,
  signature: () => undefined,
  stop: () => undefined,
}

/** A message in the making. Both ways of answering are made of it. */
export interface Message {
  push(events: readonly Event[]): void
  readonly usage: Usage
  readonly isFinished: boolean
  /** `stop_reason` and `stop_sequence`. */
  stop(): JsonObject
  /** What stands beside the usage. */
  remarks(): JsonObject
  /** Every block that was ended, as JSON. */
  content(): string
}

type Block =
  | { readonly kind: 'text' | 'thinking'; text: string; isBegun: boolean }
  | {
      readonly kind: 'call'
      readonly id: string
      readonly name: string
      metadata: ProviderMetadata | undefined
      json: string
      isComplete: boolean
    }

/**
 * Blocks come one after the other, each begun, told and ended. Ending the block of a call is what makes clients run it, so
 * one that was never completed is left open.
 */
export function createMessage(manner: Manner, wire: Wire): Message {
  const blocks: Block[] = []
  let open: Block | undefined
  let metadata: ProviderMetadata | undefined
  let completeCalls = 0
  let isRefusal = false
  let finish: { readonly reason: FinishReason; readonly stop?: string } | undefined

  function say(kind: 'text' | 'thinking', text: string): void {
    if (text === '') return
    if (open?.kind !== kind) {
      close()
      open = { kind, text: '', isBegun: false }
      blocks.push(open)
    }
    open.text += text
    if (open.isBegun) wire.delta(text)
    // White space is worth a block only if words follow it.
    else if (open.text.trim() !== '') {
      open.isBegun = true
      wire.begin(kind, emptyBlocks[kind])
      wire.delta(open.text)
    }
  }

  /** Ends what was said in words. A call is ended by its own end only. */
  function close(): void {
    if (open !== undefined && open.kind !== 'call' && open.isBegun) {
      if (open.kind === 'thinking') wire.signature(seal({ thoughts: '', message: metadata }))
      wire.stop()
    }
    open = undefined
  }

  function nameCall({ id, name, metadata: own }: Extract<Block, { kind: 'call' }>): string {
    const wireId = manner.callMetadata.idOf(id, toKept(own, metadata))
    return `{"type":"tool_use","id":${JSON.stringify(wireId)},"name":${JSON.stringify(manner.names.toOuter(name))}`
  }

  function add(event: Event): void {
    switch (event.type) {
      case 'text-delta':
        return say('text', event.text)
      case 'refusal-delta':
        isRefusal ||= event.text !== ''
        return say('text', event.text)
      case 'reasoning-delta':
        if (manner.showsThoughts) say('thinking', event.text)
        return
      case 'call-start': {
        close()
        open = { kind: 'call', id: event.id, name: event.name, metadata: event.metadata, json: '', isComplete: false }
        blocks.push(open)
        if (wire !== silentWire) wire.begin('call', `${nameCall(open)},"input":{}}`)
        return
      }
      case 'call-delta':
        if (open?.kind !== 'call' || event.json === '') return
        open.json += event.json
        return wire.delta(event.json)
      case 'call-end':
        if (open?.kind !== 'call') return
        if (open.json === '') wire.delta('{}')
        open.isComplete = true
        completeCalls += 1
        open = undefined
        return wire.stop()
      case 'call-error':
        open = undefined
        // What was cut off is left out; what could not be read was said all the same.
        if (event.reason !== 'cut-off') blocks.push({ kind: 'text', text: event.raw, isBegun: false })
        return
      case 'provider-metadata':
        if (event.index === undefined) metadata = joinMetadata(metadata, event.fields)
        else if (open?.kind === 'call') {
          open.metadata = joinMetadata(open.metadata, event.fields)
          manner.callMetadata.add(open.id, event.fields)
        }
        return
      case 'usage':
        message.usage = event
        return
      case 'finish':
        finish ??= event
        message.isFinished = true
        return close()
      case 'note':
      case 'remarks':
      case 'logprobs':
        return
      default:
        event satisfies never
    }
  }

  function print(block: Block): readonly string[] {
    if (block.kind === 'call') {
      if (!block.isComplete) return []
      // As it was written: figures may be longer than a number here can be.
      return [`${nameCall(block)},"input":${isJsonObject(parseJson(block.json)) ? block.json : '{}'}}`]
    }
    const { kind, text } = block
    if (text.trim() === '') return []
    if (kind === 'text') return [JSON.stringify({ type: kind, text })]
    return [JSON.stringify({ type: kind, thinking: text, signature: seal({ thoughts: '', message: metadata }) })]
  }

  function stopReason(): StopReason {
    if (finish === undefined) throw unfinished()
    const { reason, stop } = finish
    if (reason === 'length') return manner.isFull ? 'model_context_window_exceeded' : 'max_tokens'
    if (reason === 'content_filter') return 'refusal'
    if (completeCalls > 0) return 'tool_use'
    if (isRefusal) return 'refusal'
    return stop === undefined ? 'end_turn' : 'stop_sequence'
  }

  const message: Writable<Message> = {
    usage: noUsage,
    isFinished: false,
    push(events) {
      for (const event of joinDeltas(events)) add(event)
    },
    stop() {
      const reason = stopReason()
      return { stop_reason: reason, stop_sequence: reason === 'stop_sequence' ? (finish?.stop ?? null) : null }
    },
    remarks: () =>
      manner.appliedEdits === undefined ? {} : { context_management: { applied_edits: manner.appliedEdits } },
    content: () => `[${blocks.flatMap(print).join(',')}]`,
  }
  return message
}

/** Blocks as they begin. */
const emptyBlocks = {
  text: '{"type":"text","text":""}',
  thinking: '{"type":"thinking","thinking":"","signature":""}',
}

type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal' | 'model_context_window_exceeded'

/** The whole message, where a client wants it in one piece. */
export function printMessage(identity: Identity, message: Message): string {
  const head = JSON.stringify(toHead(identity)).slice(0, -1)
  const foot = JSON.stringify({ ...message.stop(), usage: toUsage(message.usage), ...message.remarks() }).slice(1)
  return `${head},"content":${message.content()},${foot}`
}

/** What a message begins with. */
export function toHead({ id, model }: Identity): JsonObject {
  return { id, type: 'message', role: 'assistant', model }
}

export function toUsage(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage
  return {
    input_tokens: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
  }
}

/** Of an answer that told no figures. */
const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }
