import { type AssistantMessage, callsOf, type Message, piecesOf, textOf } from '../../../protocol/message.ts'
import { heal, noResult, strayResult } from '../../../turn/repair/heal.ts'
import { toSpoken } from '../../shared/spoken.ts'
import { note, type Reading } from './reading.ts'

/**
 * A conversation services take: one beginning of instructions, every call answered next to it, and nobody speaking twice
 * where calls are. A refusal would end the client's session for good, so what is missing is made up for, and noted.
 */
export function mend(system: string, messages: readonly Message[], reading: Reading): readonly Message[] {
  const arranged = arrange(messages)
  const healed = answerAll(heal(arranged))
  if (!isSame(arranged, healed)) note(reading, 'history_healed', 'calls and results that do not match')
  const first = healed.findIndex((message) => message.role !== 'system')
  const leading = first === -1 ? healed : healed.slice(0, first)
  const instructions = [system, ...leading.map(({ content }) => textOf(content))].filter((text) => text !== '')
  const rest = healed.slice(leading.length)
  return instructions.length === 0 ? rest : [{ role: 'system', content: instructions.join('\n\n') }, ...rest]
}

/** Instructions that came between calls and their results stand after them; one answer in two messages is one. */
function arrange(messages: readonly Message[]): readonly Message[] {
  const arranged: Message[] = []
  const open = new Set<string>()
  let late: Message[] = []
  const settle = (): void => {
    arranged.push(...late)
    late = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      arranged.push(message)
      open.delete(message.callId)
      if (open.size === 0) settle()
      continue
    }
    if (message.role === 'system' && open.size > 0) {
      late.push(message)
      continue
    }
    settle()
    if (message.role === 'assistant') {
      const last = arranged.at(-1)
      if (last?.role === 'assistant') arranged[arranged.length - 1] = join(last, message)
      else arranged.push(message)
      for (const { id } of callsOf(message)) open.add(id)
    } else {
      arranged.push(message)
      if (message.role === 'user') open.clear()
    }
  }
  settle()
  return arranged
}

function join(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  return { ...first, ...second, content: toSpoken([...piecesOf(first.content), ...piecesOf(second.content)]) }
}

/** Every call with its one result next to it, whatever was there; what answers no call is told in words. */
function answerAll(messages: readonly Message[]): readonly Message[] {
  const settled: Message[] = []
  let open: readonly string[] = []
  const settle = (): void => {
    settled.push(...open.map(noResult))
    open = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      const { callId } = message
      if (open.includes(callId)) settled.push(message)
      else {
        settle()
        settled.push(strayResult(message))
      }
      open = open.filter((id) => id !== callId)
      continue
    }
    settle()
    settled.push(message)
    if (message.role === 'assistant') open = callsOf(message).map(({ id }) => id)
  }
  settle()
  return settled
}

function isSame(before: readonly Message[], after: readonly Message[]): boolean {
  if (before.length !== after.length) return false
  return before.every((message, index) => {
    const other = after[index]
    if (message.role === 'tool') return other?.role === 'tool' && other.callId === message.callId
    if (message.role !== 'assistant') return other === message
    if (other?.role !== 'assistant') return false
    const [calls, others] = [callsOf(message), callsOf(other)]
    if (others.length !== calls.length) return false
    return calls.every((call, place) => {
      const kept = others[place]
      return kept?.id === call.id && kept.arguments === call.arguments
    })
  })
}
