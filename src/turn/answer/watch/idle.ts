import { Pieces } from '../../../engine/text/pieces.ts'
import type { Note } from '../../../protocol/event.ts'
import { isJsonObject, type Json, parseObject } from '../../../protocol/json.ts'
import { callsOf, type Message } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Stage } from '../stage.ts'
import { isAnnouncement } from './announced.ts'

/** Sees whether an answer comes to nothing: no words and no call, or words that only announce one. */
export interface IdleWatch extends Stage {
  /** What is to be said of it, once it is over and the model ended it. */
  note(): Note | undefined
}

export function createIdleWatch(request: Request): IdleWatch {
  const words = new Pieces()
  let hasActed = false
  return {
    push(events) {
      for (const event of events) {
        if (event.type === 'text-delta') words.push(event.text)
        // A call, one that came to nothing, or a refusal.
        else if (event.type === 'call-start' || event.type === 'call-error' || event.type === 'refusal-delta')
          hasActed = true
      }
      return events
    },
    note: () => (hasActed ? undefined : noteOf(words.toString(), request)),
  }
}

function noteOf(words: string, { messages, tools }: Request): Note | undefined {
  if (words.trim() === '') return { type: 'note', kind: 'empty_answer' }
  const isAtWork = hasFreshResult(messages) || hasOpenItems(messages)
  const isAnnounced = isAnnouncement(words, { isAtWork, toolNames: tools.map(({ name }) => name) })
  return isAnnounced ? { type: 'note', kind: 'announced_call' } : undefined
}

/** Results that the model has not answered in words. Some agents send a user's words after each of them. */
function hasFreshResult(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')
  return last !== undefined && callsOf(last).length > 0
}

const listName = /todo|plan|task/i
const openStatus = /^(?:pending|in[_ -]?progress|open|todo|not[_ -]?started|active)$/i

/** Whether the list that the model keeps of its work has something left on it. */
function hasOpenItems(messages: readonly Message[]): boolean {
  for (const message of messages.toReversed()) {
    const call = callsOf(message).findLast(({ name }) => listName.test(name))
    if (call === undefined) continue
    return Object.values(parseObject(call.arguments) ?? {}).some((items) => Array.isArray(items) && items.some(isOpen))
  }
  return false
}

function isOpen(item: Json): boolean {
  return isJsonObject(item) && typeof item['status'] === 'string' && openStatus.test(item['status'])
}
