import { isDeeperThan, isJsonObject, parseJson } from '../../../protocol/json.ts'
import { callsOf, type Message } from '../../../protocol/message.ts'
import { heal, noResult, strayResult } from '../../../turn/repair/heal.ts'

interface Healed {
  readonly messages: readonly Message[]
  /** What was wrong, by the names of the failures that it would be elsewhere; empty: nothing was. */
  readonly faults: readonly string[]
}

/** A conversation that a model can be given, whatever it was: here a refusal would end the client's whole session. */
export function healed(messages: readonly Message[]): Healed {
  const faults = faultsOf(messages)
  return faults.length === 0 ? { messages, faults } : { messages: arranged(heal(messages)), faults }
}

function faultsOf(messages: readonly Message[]): readonly string[] {
  const faults = new Set<string>()
  const open = new Set<string>()
  const closed = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') {
      if (open.size > 0) faults.add('unanswered_tool_call')
      for (const { id, arguments: given } of callsOf(message)) {
        if (!isArguments(given)) faults.add('malformed_tool_arguments')
        if (id === '') faults.add('missing_tool_call_id')
        if (open.has(id)) faults.add('duplicate_tool_call_id')
        open.add(id)
      }
    } else if (message.role === 'tool') {
      if (!open.delete(message.callId)) {
        faults.add(closed.has(message.callId) ? 'duplicate_tool_call_id' : 'unknown_tool_call_id')
      }
      closed.add(message.callId)
    } else if (open.size > 0) faults.add('unanswered_tool_call')
  }
  if (open.size > 0) faults.add('unanswered_tool_call')
  return [...faults]
}

function isArguments(given: string): boolean {
  const value = parseJson(given)
  return isJsonObject(value) && !isDeeperThan(value, 128)
}

/** Every call with its result right after it. A result that is left over is told as such. */
function arranged(messages: readonly Message[]): readonly Message[] {
  const results = new Map<string, number[]>()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') continue
    const places = results.get(message.callId)
    if (places === undefined) results.set(message.callId, [index])
    else places.push(index)
  }
  const told = new Set<number>()

  /** The first result of a call that stands after it and is no other call's. */
  function resultOf(callId: string, after: number): Message {
    const place = results.get(callId)?.find((index) => index > after && !told.has(index))
    const found = place === undefined ? undefined : messages[place]
    if (place === undefined || found === undefined) return noResult(callId)
    told.add(place)
    return found
  }

  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role === 'assistant') return [message, ...callsOf(message).map(({ id }) => resultOf(id, index))]
    if (message.role !== 'tool') return [message]
    if (told.has(index)) return []
    return [strayResult(message)]
  })
}
