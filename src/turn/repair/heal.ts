import type { Call } from '../../protocol/call.ts'
import { isDeeperThan, isJsonObject, parseJson } from '../../protocol/json.ts'
import {
  type AssistantMessage,
  callsOf,
  type Message,
  mapCalls,
  type ToolMessage,
  textOf,
  type UserMessage,
} from '../../protocol/message.ts'

/** Said for a tool whose call was never answered. */
export function noResult(callId: string): ToolMessage {
  return { role: 'tool', callId, content: '(no result: the call was not carried out)' }
}

/** Said for a result that answers no call. */
export function strayResult({ content }: ToolMessage): UserMessage {
  return { role: 'user', content: `Result of an earlier tool call:\n${textOf(content)}` }
}

/**
 * A conversation with every call answered once and every result answering a call. Nothing that was said is lost except
 * a call that was cut off and never carried out, and a result that another one of the same call replaces.
 */
export function heal(messages: readonly Message[]): readonly Message[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])))
  const healed: Message[] = []
  /** Calls that wait for their result, and where the result of each other one stands. */
  const open = new Map<string, Call>()
  const closed = new Map<string, number>()

  function close(id: string, result: ToolMessage): void {
    open.delete(id)
    closed.set(id, healed.push({ ...result, callId: id }) - 1)
  }

  function keep(result: ToolMessage): void {
    const id = open.has(result.callId) ? result.callId : openCallFor(result)
    if (id !== undefined) return close(id, result)
    const place = closed.get(result.callId)
    if (place === undefined) {
      healed.push(strayResult(result))
    } else if (textOf(result.content) !== '') {
      // Told twice: the later one is what the client settled on.
      healed[place] = result
    }
  }

  /** The call a result without an id must mean: the first of its name, or the first of all. */
  function openCallFor({ callId, name }: ToolMessage): string | undefined {
    if (callId !== '') return undefined
    const calls = [...open.values()]
    return (name === undefined ? calls[0] : calls.find((call) => call.name === name))?.id
  }

  for (const message of messages) {
    if (message.role === 'tool') keep(message)
    else if (message.role === 'assistant') {
      const mended = mendCalls(message, answered)
      const calls = callsOf(mended)
      if (calls.length === 0 && textOf(mended.content) === '' && callsOf(message).length > 0) continue
      for (const call of calls) open.set(call.id, call)
      healed.push(mended)
    } else {
      if (message.role === 'user') for (const id of open.keys()) close(id, noResult(id))
      healed.push(message)
    }
  }
  return healed
}

function mendCalls(message: AssistantMessage, answered: ReadonlySet<string>): AssistantMessage {
  const seen = new Set<string>()
  return mapCalls(message, (call) => {
    const given = call.kind === 'custom' ? call.arguments : mendArguments(call.arguments, answered.has(call.id))
    if (given === undefined) return undefined
    let id = call.id
    for (let copy = 2; seen.has(id); copy++) id = `${call.id}_${copy}`
    seen.add(id)
    return { ...call, id, arguments: given }
  })
}

/** Arguments as an object. What cannot be read is shown as it was where it has a result, and else left out. */
function mendArguments(given: string, isAnswered: boolean): string | undefined {
  if (given.trim() === '') return '{}'
  const value = parseJson(given)
  if (isJsonObject(value) && !isDeeperThan(value, 128)) return given
  if (typeof value === 'string' && isJsonObject(parseJson(value))) return value
  return isAnswered ? JSON.stringify({ arguments: given }) : undefined
}
