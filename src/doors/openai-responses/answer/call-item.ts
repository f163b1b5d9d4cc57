import { isJsonObject, type JsonObject, parseJson } from '../../../protocol/json.ts'
import type { Entry } from '../request/tools.ts'
import { createInputText } from './input-text.ts'
import type { OpenItem, Slot } from './slot.ts'
import { frameOf } from './wire.ts'

/** A call, as an item in the making. To close it is to have it run: one that is not whole stays open. */
export interface CallItem extends OpenItem {
  push(json: string): void
  /** The item as far as it came, without a word on the wire. */
  unfinished(): JsonObject
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

const openFunction: Open = ({ id, index, wire }, callId, called) => {
  let json = ''
  const item = (status: string): JsonObject => ({
    id,
    type: 'function_call',
    status,
    call_id: callId,
    ...nameOf(called),
    arguments: json,
  })
  wire.event('response.output_item.added', { output_index: index, item: item('in_progress') })
  const place = { item_id: id, output_index: index }
  const frame = frameOf('response.function_call_arguments.delta', place)
  const push = (piece: string): void => {
    json += piece
    wire.delta(frame, piece)
  }
  return {
    push,
    unfinished: () => item('incomplete'),
    close(status) {
      if (json === '') push('{}')
      wire.event('response.function_call_arguments.done', { ...place, name: called.name, arguments: json })
      const closed = item(status)
      wire.event('response.output_item.done', { output_index: index, item: closed })
      return closed
    },
  }
}

const openCustom: Open = ({ id, index, wire }, callId, called) => {
  const input = createInputText()
  const item = (status: string): JsonObject => ({
    id,
    type: 'custom_tool_call',
    status,
    call_id: callId,
    ...nameOf(called),
    input: input.told,
  })
  wire.event('response.output_item.added', { output_index: index, item: item('in_progress') })
  const place = { item_id: id, output_index: index }
  const frame = frameOf('response.custom_tool_call_input.delta', place)
  const tell = (text: string): void => {
    if (text !== '') wire.delta(frame, text)
  }
  return {
    push: (json) => tell(input.push(json)),
    unfinished: () => item('incomplete'),
    close(status) {
      tell(input.end())
      wire.event('response.custom_tool_call_input.done', { ...place, input: input.told })
      const closed = item(status)
      wire.event('response.output_item.done', { output_index: index, item: closed })
      return closed
    },
  }
}

/** Its arguments are an object, so there is nothing to tell before they are whole. */
const openSearch: Open = ({ id, index, wire }, callId) => {
  let json = ''
  const item = (status: string): JsonObject => {
    const given = parseJson(json)
    const query = isJsonObject(given) ? given : {}
    return { id, type: 'tool_search_call', status, call_id: callId, execution: 'client', arguments: query }
  }
  wire.event('response.output_item.added', { output_index: index, item: item('in_progress') })
  return {
    push(piece) {
      json += piece
    },
    unfinished: () => item('incomplete'),
    close(status) {
      const closed = item(status)
      wire.event('response.output_item.done', { output_index: index, item: closed })
      return closed
    },
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
