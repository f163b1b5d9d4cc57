import type { Event, FinishReason, Usage } from '../../../protocol/event.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { joinMetadata, type ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import type { Writable } from '../../../protocol/writable.ts'
import { joinDeltas } from '../../shared/join-deltas.ts'
import type { Sealed } from '../../shared/seal.ts'
import {
  type Called,
  type CallItem,
  idPrefixes,
  type MessageItem,
  openCall,
  openMessage,
  openReasoning,
  printMetadataItem,
  type ReasoningItem,
  type ThoughtManner,
} from './items.ts'
import type { Wire } from './wire.ts'

/** How this client is answered. */
export interface Manner extends ThoughtManner {
  readonly createId: (prefix: string) => string
  /** What a name the model called stands for. */
  readonly calledBy: (name: string) => Called
  /** Refusals are said like everything else: this client cannot read them otherwise. */
  readonly plainRefusals: boolean
}

/** The items of a response, made of what a model says. All ways of answering are made of these. */
export interface Output {
  push(events: readonly Event[]): void
  /** Those that are closed; once all is over, also a call that was cut off. */
  readonly items: readonly JsonObject[]
  readonly finish: FinishReason | undefined
  readonly usage: Usage | undefined
  /** What the service wants back; undefined when that is nothing. */
  kept(): Omit<Sealed, 'thoughts'> | undefined
}

type Open =
  | { readonly kind: 'message'; readonly item: MessageItem }
  | { readonly kind: 'reasoning'; readonly item: ReasoningItem }
  | { readonly kind: 'call'; readonly item: CallItem }

export function createOutput(manner: Manner, wire: Wire): Output {
  const items: JsonObject[] = []
  let count = 0
  let open: Open | undefined
  /** A call that broke off, and what it was read from: words, if the model goes on; else it was cut off. */
  let broken: { readonly item: JsonObject; readonly raw: string } | undefined
  /** White space opens no message: it belongs to the words that follow it. */
  let blank = ''
  let logprobs: readonly Json[] = []
  let keptOfMessage: ProviderMetadata | undefined
  const keptOfCalls = new Map<string, ProviderMetadata>()
  const callIds = new Map<number, string>()

  const slot = (prefix: string) => ({ id: manner.createId(prefix), index: count++, wire })

  function close(status: 'completed' | 'incomplete' = 'completed'): void {
    if (open !== undefined && open.kind !== 'call') items.push(open.item.close(status))
    open = undefined
  }

  function message(): MessageItem {
    if (open?.kind === 'message') return open.item
    close()
    const item = openMessage(slot('msg_'))
    open = { kind: 'message', item }
    item.addLogprobs(logprobs)
    logprobs = []
    return item
  }

  function goOn(): void {
    if (broken === undefined) return
    const { raw } = broken
    broken = undefined
    say(raw)
  }

  function say(text: string): void {
    if (open?.kind === 'message') return open.item.say(text)
    blank += text
    if (blank.trim() === '') return
    const words = blank
    blank = ''
    message().say(words)
  }

  function refuse(text: string): void {
    if (manner.plainRefusals) say(text)
    else if (text !== '') message().refuse(text)
  }

  function think(text: string): void {
    if (open?.kind !== 'reasoning') {
      close()
      open = { kind: 'reasoning', item: openReasoning(slot('rs_'), manner) }
    }
    open.item.think(text)
  }

  function call(id: string, name: string): void {
    close()
    blank = ''
    const called = manner.calledBy(name)
    open = { kind: 'call', item: openCall(slot(idPrefixes[called.kind]), id, called) }
  }

  function endCall(): void {
    if (open?.kind === 'call') items.push(open.item.close())
    open = undefined
  }

  function breakCall(raw: string): void {
    if (open?.kind === 'call') broken = { item: open.item.unfinished(), raw }
    open = undefined
  }

  function keep({ index, fields }: Extract<Event, { type: 'provider-metadata' }>): void {
    const id = index === undefined ? undefined : callIds.get(index)
    if (id !== undefined) keptOfCalls.set(id, joinMetadata(keptOfCalls.get(id), fields))
    else if (index === undefined) keptOfMessage = joinMetadata(keptOfMessage, fields)
  }

  function kept(): Omit<Sealed, 'thoughts'> | undefined {
    if (keptOfMessage === undefined && keptOfCalls.size === 0) return undefined
    return { message: keptOfMessage, ...(keptOfCalls.size > 0 && { calls: Object.fromEntries(keptOfCalls) }) }
  }

  function end(reason: FinishReason): void {
    output.finish = reason
    const isCut = reason === 'length' || reason === 'content_filter'
    if (open?.kind === 'call') breakCall('')
    if (!isCut) goOn()
    if (blank !== '' && items.length === 0 && open === undefined && broken === undefined) message().say(blank)
    close(isCut ? 'incomplete' : 'completed')
    if (broken !== undefined) items.push(broken.item)
    const back = manner.isSealed ? kept() : undefined
    if (back !== undefined) items.push(printMetadataItem(slot('rs_'), back))
  }

  function add(event: Event): void {
    switch (event.type) {
      case 'text-delta':
        if (event.text === '') return
        goOn()
        return say(event.text)
      case 'refusal-delta':
        goOn()
        return refuse(event.text)
      case 'reasoning-delta':
        if (event.text === '') return
        goOn()
        return think(event.text)
      case 'call-start':
        goOn()
        callIds.set(event.index, event.id)
        if (event.metadata !== undefined) keptOfCalls.set(event.id, event.metadata)
        return call(event.id, event.name)
      case 'call-delta':
        if (open?.kind === 'call' && event.json !== '') open.item.push(event.json)
        return
      case 'call-end':
        return endCall()
      case 'call-error':
        return breakCall(event.raw)
      case 'logprobs':
        if (open?.kind === 'message') open.item.addLogprobs(event.content)
        else logprobs = [...logprobs, ...event.content]
        return
      case 'usage':
        output.usage = event
        return
      case 'finish':
        if (output.finish === undefined) end(event.reason)
        return
      case 'provider-metadata':
        return keep(event)
      case 'remarks':
      case 'note':
        return
      default:
        event satisfies never
    }
  }

  const output: Writable<Output> = {
    items,
    finish: undefined,
    usage: undefined,
    kept,
    push(events) {
      for (const event of joinDeltas(events)) add(event)
    },
  }
  return output
}
