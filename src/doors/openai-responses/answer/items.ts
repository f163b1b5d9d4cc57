import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../protocol/json.ts'
import { type Sealed, seal } from '../../shared/seal.ts'
import type { Entry } from '../request/tools.ts'
import { type DeltaFrame, frameOf, type Wire } from './wire.ts'

/** The place of one item in a response. */
export interface Slot {
  readonly id: string
  readonly index: number
  readonly wire: Wire
}

type Status = 'in_progress' | 'completed' | 'incomplete'

function addItem({ index, wire }: Slot, item: JsonObject): void {
  wire.event('response.output_item.added', { output_index: index, item })
}

function closeItem({ index, wire }: Slot, item: JsonObject): JsonObject {
  wire.event('response.output_item.done', { output_index: index, item })
  return item
}

/** What a model says, as an item in the making. */
export interface MessageItem {
  say(text: string): void
  refuse(text: string): void
  addLogprobs(logprobs: readonly Json[]): void
  close(status: Status): JsonObject
}

interface OpenPart {
  readonly kind: 'output_text' | 'refusal'
  readonly frame: DeltaFrame
  text: string
}

export function openMessage(slot: Slot): MessageItem {
  const { id, index, wire } = slot
  const content: JsonObject[] = []
  let part: OpenPart | undefined
  let logprobs: readonly Json[] = []
  const item = (status: Status): JsonObject => ({
    id,
    type: 'message',
    status,
    role: 'assistant',
    content: [...content],
  })
  const place = (): JsonObject => ({ item_id: id, output_index: index, content_index: content.length })
  addItem(slot, item('in_progress'))

  function openPart(kind: OpenPart['kind']): OpenPart {
    wire.event('response.content_part.added', { ...place(), part: printPart(kind, '', []) })
    const frame =
      kind === 'refusal'
        ? frameOf('response.refusal.delta', place())
        : frameOf('response.output_text.delta', place(), ',"logprobs":[]')
    return { kind, frame, text: '' }
  }

  function closePart(): void {
    if (part === undefined) return
    const { kind, text } = part
    const printed = printPart(kind, text, logprobs)
    if (kind === 'refusal') wire.event('response.refusal.done', { ...place(), refusal: text })
    else wire.event('response.output_text.done', { ...place(), text, logprobs })
    wire.event('response.content_part.done', { ...place(), part: printed })
    content.push(printed)
    part = undefined
    logprobs = []
  }

  function put(kind: OpenPart['kind'], text: string): void {
    if (part?.kind !== kind) closePart()
    part ??= openPart(kind)
    part.text += text
    wire.delta(part.frame, text)
  }

  return {
    say: (text) => put('output_text', text),
    refuse: (text) => put('refusal', text),
    addLogprobs(more) {
      logprobs = [...logprobs, ...more]
    },
    close(status) {
      closePart()
      return closeItem(slot, item(status))
    },
  }
}

function printPart(kind: OpenPart['kind'], text: string, logprobs: readonly Json[]): JsonObject {
  return kind === 'refusal' ? { type: kind, refusal: text } : { type: kind, annotations: [], logprobs, text }
}

/** What a model thinks, as an item in the making. */
export interface ReasoningItem {
  think(text: string): void
  close(): JsonObject
}

/** How thoughts are shown: as a summary, which is what clients show, and sealed, for those that bring them back. */
export interface ThoughtManner {
  readonly isShown: boolean
  readonly isSealed: boolean
}

export function openReasoning(slot: Slot, manner: ThoughtManner): ReasoningItem {
  const { id, index, wire } = slot
  const place = { item_id: id, output_index: index, summary_index: 0 }
  let frame: DeltaFrame | undefined
  let thoughts = ''
  addItem(slot, { id, type: 'reasoning', summary: [] })

  return {
    think(text) {
      thoughts += text
      if (!manner.isShown) return
      if (frame === undefined) {
        wire.event('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } })
        frame = frameOf('response.reasoning_summary_text.delta', place)
      }
      wire.delta(frame, text)
    },
    close() {
      const part = { type: 'summary_text', text: thoughts }
      if (frame !== undefined) {
        wire.event('response.reasoning_summary_text.done', { ...place, text: thoughts })
        wire.event('response.reasoning_summary_part.done', { ...place, part })
      }
      return closeItem(slot, {
        id,
        type: 'reasoning',
        summary: frame === undefined ? [] : [part],
        ...(manner.isSealed && { encrypted_content: seal({ thoughts }) }),
      })
    },
  }
}

/** What a service wants back with its answer, in the one item that clients bring back as it is. */
export function printMetadataItem(slot: Slot, kept: Omit<Sealed, 'thoughts'>): JsonObject {
  const item = { id: slot.id, type: 'reasoning', summary: [] }
  addItem(slot, item)
  return closeItem(slot, { ...item, encrypted_content: seal({ thoughts: '', ...kept }) })
}

/** A call, as an item in the making. To close it is to have it run: one that is not whole stays open. */
export interface CallItem {
  /** More of its arguments, or of a custom tool's text. */
  push(text: string): void
  /** The item as far as it came, without a word on the wire. */
  unfinished(): JsonObject
  close(): JsonObject
}

/** What the model called: a tool of the table, or a name that is none. */
export type Called = Pick<Entry, 'kind' | 'namespace' | 'name'>

export const idPrefixes: Readonly<Record<Called['kind'], string>> = {
  function: 'fc_',
  custom: 'ctc_',
  tool_search: 'tsc_',
}

export function openCall(slot: Slot, callId: string, called: Called): CallItem {
  return openers[called.kind](slot, callId, called)
}

type Open = (slot: Slot, callId: string, called: Called) => CallItem

const openFunction: Open = (slot, callId, called) => {
  const { id, index, wire } = slot
  let json = ''
  const item = (status: Status): JsonObject => ({
    id,
    type: 'function_call',
    status,
    call_id: callId,
    ...nameOf(called),
    arguments: json,
  })
  addItem(slot, item('in_progress'))
  const place = { item_id: id, output_index: index }
  const frame = frameOf('response.function_call_arguments.delta', place)
  const push = (piece: string): void => {
    json += piece
    wire.delta(frame, piece)
  }
  return {
    push,
    unfinished: () => item('incomplete'),
    close() {
      if (json === '') push('{}')
      wire.event('response.function_call_arguments.done', { ...place, name: called.name, arguments: json })
      return closeItem(slot, item('completed'))
    },
  }
}

const openCustom: Open = (slot, callId, called) => {
  const { id, index, wire } = slot
  let input = ''
  const item = (status: Status): JsonObject => ({
    id,
    type: 'custom_tool_call',
    status,
    call_id: callId,
    ...nameOf(called),
    input,
  })
  addItem(slot, item('in_progress'))
  const place = { item_id: id, output_index: index }
  const frame = frameOf('response.custom_tool_call_input.delta', place)
  return {
    push(text) {
      input += text
      wire.delta(frame, text)
    },
    unfinished: () => item('incomplete'),
    close() {
      wire.event('response.custom_tool_call_input.done', { ...place, input })
      return closeItem(slot, item('completed'))
    },
  }
}

/** Its arguments are an object, so there is nothing to tell before they are whole. */
const openSearch: Open = (slot, callId) => {
  let json = ''
  const item = (status: Status): JsonObject => {
    const given = parseJson(json)
    const query = isJsonObject(given) ? given : {}
    return { id: slot.id, type: 'tool_search_call', status, call_id: callId, execution: 'client', arguments: query }
  }
  addItem(slot, item('in_progress'))
  return {
    push(piece) {
      json += piece
    },
    unfinished: () => item('incomplete'),
    close: () => closeItem(slot, item('completed')),
  }
}

const openers: Readonly<Record<Called['kind'], Open>> = {
  function: openFunction,
  custom: openCustom,
  tool_search: openSearch,
}

function nameOf({ namespace, name }: Called): JsonObject {
  return namespace === undefined ? { name } : { name, namespace }
}
