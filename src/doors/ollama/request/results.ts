import type { FailureCode } from '../../../errors.ts'
import type { Call } from '../../../protocol/call.ts'
import {
  type AssistantMessage,
  callsOf,
  type Message,
  mapCalls,
  piecesOf,
  type ToolMessage,
} from '../../../protocol/message.ts'
import { heal, noResult } from '../../../turn/repair/heal.ts'

interface Open {
  /** The id the client knows it by. */
  readonly given: string
  readonly call: Call
}

export interface Linked {
  readonly messages: readonly Message[]
  /** What was wrong and has been put right. */
  readonly faults: readonly FailureCode[]
}

/**
 * Every result with its call. Clients name the call, or the tool, or neither: then the order tells. A conversation in which
 * something is left over is healed, never refused.
 */
export function linkResults(messages: readonly Message[], known: readonly FailureCode[] = []): Linked {
  const faults = new Set<FailureCode>(known)
  const closed = new Set<string>()
  let open: Open[] = []

  function ask(message: AssistantMessage): AssistantMessage {
    const here = new Set<string>()
    return mapCalls(message, (asked) => {
      let { id } = asked
      for (let copy = 2; here.has(id); copy++) id = `${asked.id}_${copy}`
      here.add(id)
      const call = { ...asked, id }
      open.push({ given: asked.id, call })
      return call
    })
  }

  function answer(result: ToolMessage): ToolMessage {
    const found = callFor(result)
    if (found === undefined) {
      faults.add(closed.has(result.callId) ? 'duplicate_tool_call_id' : 'unknown_tool_call_id')
      return result
    }
    open = open.filter((one) => one !== found)
    closed.add(found.call.id)
    // From here on the id says all: services are told no names by the others who ask them.
    return { role: 'tool', callId: found.call.id, content: result.content }
  }

  function callFor({ callId, name }: ToolMessage): Open | undefined {
    const named = open.find(({ given }) => given === callId)
    if (named !== undefined || closed.has(callId)) return named
    return open.find(({ call }) => call.name === name) ?? open[0]
  }

  /** Calls without a result by now get one that says so; a later result takes its place. */
  function giveUp(): readonly ToolMessage[] {
    if (open.length > 0) faults.add('unanswered_tool_call')
    const unanswered = open.map(({ call }) => noResult(call.id))
    for (const { callId } of unanswered) closed.add(callId)
    open = []
    return unanswered
  }

  const linked = joinCallers(messages).flatMap((message): readonly Message[] => {
    if (message.role === 'tool') return [answer(message)]
    if (message.role === 'system') return [message]
    const before = giveUp()
    return [...before, message.role === 'assistant' ? ask(message) : message]
  })
  return { messages: faults.size === 0 ? linked : heal(linked), faults: [...faults] }
}

/** Calls that were told in messages of their own, one after the other, were made at once. */
function joinCallers(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role === 'assistant' && last?.role === 'assistant' && callsOf(last).length > 0) {
      joined[joined.length - 1] = { ...last, content: [...piecesOf(last.content), ...piecesOf(message.content)] }
    } else joined.push(message)
  }
  return joined
}
