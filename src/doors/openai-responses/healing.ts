import { isDeeperThan, isJsonObject, parseJson } from '../../protocol/json.ts'
import type { Message } from '../../protocol/message.ts'
import { heal } from '../../turn/repair/heal.ts'

interface Healed {
  readonly messages: readonly Message[]
  /** What was wrong, by the names of the failures that it would be elsewhere; empty: nothing was. */
  readonly faults: readonly string[]
}

const noResult = '(no result: the call was not carried out)'

/** A conversation that a model can be given, whatever it was: here a refusal would end the client's whole session. */
export function healed(messages: readonly Message[]): Healed {
  const faults = faultsOf(messages)
  return faults.length === 0 ? { messages, faults } : { messages: answered(heal(messages)), faults }
}

function faultsOf(messages: readonly Message[]): readonly string[] {
  const faults = new Set<string>()
  const open = new Set<string>()
  const closed = new Set<string>()
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const { id, arguments: given } of message.calls) {
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

/** Calls at the very end that nobody answered, too, have a result. */
function answered(messages: readonly Message[]): readonly Message[] {
  const results = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])))
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.role !== 'assistant') return [message]
    const open = message.calls.filter(({ id }) => !results.has(id))
    if (open.length === 0 || messages.slice(index + 1).some(({ role }) => role === 'user')) return [message]
    return [message, ...open.map(({ id }) => ({ role: 'tool' as const, callId: id, content: noResult }))]
  })
}
