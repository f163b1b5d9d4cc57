import {
  type Content,
  inUsualOrder,
  type Message,
  type Part,
  piecesOf,
  type UserMessage,
} from '../../../protocol/message.ts'
import type { TemplateSettings } from '../../settings.ts'

/** What an assistant said, calls included, as words; its thoughts stay beside them. */
interface PromptAnswer {
  readonly role: 'assistant'
  readonly content: Content
  readonly reasoning?: string
  readonly name?: string
}

/** A message with nothing but words, and what a model looks at. */
export type PromptMessage = UserMessage | PromptAnswer

/** Said for the user where a template demands a user message and the client sent none. */
const continuation = '(continue)'

/**
 * Messages any chat template takes: one leading system message, then user and assistant messages of which no two
 * neighbours have the same role. The system text goes first and never moves, and what follows is only ever appended to,
 * so a conversation that grows keeps its beginning and the model's prompt cache stays warm.
 */
export function normalise(
  system: string,
  spoken: readonly PromptMessage[],
  template: TemplateSettings,
): readonly Message[] {
  const merged = mergeNeighbours(spoken.filter((message) => !isEmpty(message)))
  if (template.transcript === true) return [printTranscript(system, merged)]
  if (system !== '' && !template.system) {
    const first = merged[0]
    if (first?.role === 'user') merged[0] = { ...first, content: joinContents(system, first.content) }
    else merged.unshift({ role: 'user', content: system })
  }
  if (template.alternate) {
    if (merged[0]?.role !== 'user') merged.unshift({ role: 'user', content: continuation })
    if (merged.at(-1)?.role !== 'user') merged.push({ role: 'user', content: continuation })
  }
  const messages = merged.map(toMessage)
  return system !== '' && template.system ? [{ role: 'system', content: system }, ...messages] : messages
}

function toMessage(told: PromptMessage): Message {
  if (told.role === 'user' || told.reasoning === undefined) return told
  const { reasoning, content, ...rest } = told
  return { ...rest, content: inUsualOrder({ content, reasoning }) }
}

/** The whole conversation as one message: the last resort, for templates that take nothing else. */
function printTranscript(system: string, spoken: readonly PromptMessage[]): UserMessage {
  const parts: Content[] = system === '' ? [] : [system]
  for (const [place, { role, content }] of spoken.entries()) {
    if (role === 'assistant') parts.push(joinContents('[You answered:]', content))
    else parts.push(place === 0 ? content : joinContents('[Then came:]', content))
  }
  if (spoken.at(-1)?.role === 'assistant') parts.push(continuation)
  const [first = continuation, ...rest] = parts
  return { role: 'user', content: rest.reduce(joinContents, first) }
}

function mergeNeighbours(spoken: readonly PromptMessage[]): PromptMessage[] {
  const merged: PromptMessage[] = []
  for (const message of spoken) {
    const last = merged.at(-1)
    if (last?.role === message.role) merged[merged.length - 1] = merge(last, message)
    else merged.push(typeof message.content === 'string' ? message : { ...message, content: simplify(message.content) })
  }
  return merged
}

function merge(first: PromptMessage, second: PromptMessage): PromptMessage {
  return first.role === 'user' && second.role === 'user'
    ? mergeUsers(first, second)
    : mergeAssistants(first as PromptAnswer, second as PromptAnswer)
}

function mergeUsers(first: UserMessage, second: UserMessage): UserMessage {
  const content = joinContents(first.content, second.content)
  const sameName = first.name !== undefined && first.name === second.name
  return { role: 'user', content, ...(sameName ? { name: first.name } : {}) }
}

function mergeAssistants(first: PromptAnswer, second: PromptAnswer): PromptAnswer {
  const reasoning = [first.reasoning, second.reasoning].filter((text) => text !== undefined && text !== '').join('\n\n')
  const content = joinContents(first.content, second.content)
  return { role: 'assistant', content, ...(reasoning === '' ? {} : { reasoning }) }
}

function isEmpty({ content }: PromptMessage): boolean {
  return typeof content === 'string'
    ? content === ''
    : content.every((part) => part.type === 'text' && part.text === '')
}

/** Two contents with a blank line between their words; words alone become one string. */
export function joinContents(first: Content, second: Content): Content {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`
  const [head, tail] = [piecesOf(first), piecesOf(second)]
  const [last, next] = [head.at(-1), tail[0]]
  if (last?.type !== 'text' || next?.type !== 'text') return simplify([...head, ...tail])
  const seam: Part = { type: 'text', text: `${last.text}\n\n${next.text}` }
  return simplify([...head.slice(0, -1), seam, ...tail.slice(1)])
}

/** A string wherever there are only words: many templates take nothing else. */
function simplify(content: Content): Content {
  if (typeof content === 'string') return content
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === content.length ? texts.join('\n') : content
}
