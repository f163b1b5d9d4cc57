import { isDeeperThan, isJsonObject, parseJson } from '../../protocol/json.ts'
import { type AssistantMessage, callsOf, type Message, piecesOf, type Spoken, textOf } from '../../protocol/message.ts'
import { heal, noResult, strayResult } from '../../turn/repair/heal.ts'

interface History {
  readonly messages: readonly Message[]
  /** What was wrong, by the names of the failures that it would be elsewhere; empty: nothing was. */
  readonly faults: readonly string[]
}

/**
 * A conversation that services take, whatever it was: one beginning of instructions, every call answered next to it, no two
 * answers in a row. At these doors a refusal would end the client's whole session.
 */
export function toHistory(instructions: string, said: readonly Message[]): History {
  const arranged = arrange(said)
  const faults = faultsOf(arranged)
  const healed = faults.length === 0 ? arranged : answerAll(heal(arranged))
  return { messages: withOneBeginning(instructions, healed), faults }
}

/** Instructions that came between calls and their results stand after them; one answer in two messages is one. */
function arrange(messages: readonly Message[]): readonly Message[] {
  const arranged: Message[] = []
  const open = new Set<string>()
  let late: Message[] = []
  for (const message of messages) {
    if (message.role === 'system' && open.size > 0) {
      late.push(message)
      continue
    }
    if (message.role === 'tool') {
      arranged.push(message)
      open.delete(message.callId)
      if (open.size > 0) continue
    }
    arranged.push(...late)
    late = []
    if (message.role === 'tool') continue
    if (message.role === 'user') open.clear()
    for (const { id } of callsOf(message)) open.add(id)
    const last = arranged.at(-1)
    if (message.role === 'assistant' && last?.role === 'assistant')
      arranged[arranged.length - 1] = joinAnswers(last, message)
    else arranged.push(message)
  }
  return [...arranged, ...late]
}

function joinAnswers(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  return { ...first, ...second, content: joinTexts([...piecesOf(first.content), ...piecesOf(second.content)]) }
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
function answerAll(messages: readonly Message[]): readonly Message[] {
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
    return told.has(index) ? [] : [strayResult(message)]
  })
}

/** All a model is told before the user first speaks is one message; what comes later stays in its place. */
function withOneBeginning(instructions: string, messages: readonly Message[]): readonly Message[] {
  const spoken = messages.findIndex(({ role }) => role === 'user')
  const isEarly = ({ role }: Message, index: number): boolean => role === 'system' && (spoken === -1 || index < spoken)
  const texts = [instructions, ...messages.filter(isEarly).map(({ content }) => textOf(content))]
  const told = texts.filter((text) => text !== '').join('\n\n')
  const others = messages.filter((message, index) => !isEarly(message, index))
  return told === '' ? others : [{ role: 'system', content: told }, ...others]
}

/** Texts next to each other are one, and alone they are a string. */
export function joinTexts(parts: readonly Spoken[]): AssistantMessage['content'] {
  const spoken: Spoken[] = []
  for (const part of parts) {
    const last = spoken.at(-1)
    const goesOn = part.type === 'text' && last?.type === 'text'
    if (goesOn) spoken[spoken.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` }
    else spoken.push(part)
  }
  const [first] = spoken
  return spoken.length === 1 && first?.type === 'text' ? first.text : spoken
}
