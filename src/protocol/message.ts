import type { Call } from './call.ts'
import type { Json } from './json.ts'
import { joinMetadata, type ProviderMetadata } from './provider-metadata.ts'

/** One piece of a message's content. `other` carries what we do not translate (audio, files) to upstreams that take it. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly url: string; readonly detail?: string }
  | { readonly type: 'other'; readonly value: Json }

export type Content = string | readonly Part[]

/** What an assistant thought. `metadata`: what its service wants back with it (a signature, what is encrypted or redacted). */
export interface Thought {
  readonly type: 'thought'
  readonly text: string
  readonly metadata?: ProviderMetadata
}

/** A call in the place where it was made. */
export interface MadeCall {
  readonly type: 'call'
  readonly call: Call
}

/** One piece of what an assistant said. */
export type Spoken = Part | Thought | MadeCall

export interface SystemMessage {
  readonly role: 'system'
  readonly content: Content
  /** Tools of the request that are available from here on, by name. */
  readonly introduces?: readonly string[]
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: Content
  readonly name?: string
  /** Tools of the request that are available from here on, by name: they have to do with what is said. */
  readonly introduces?: readonly string[]
}

export interface AssistantMessage {
  readonly role: 'assistant'
  /** What it thought, said and called, in the order in which it did; a string where it only said something. */
  readonly content: string | readonly Spoken[]
  readonly name?: string
}

/** The result of one call, matched to it by `callId`. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly content: Content
  readonly name?: string
  /** Tools of the request that are available from here on, by name: a search for tools found them. */
  readonly introduces?: readonly string[]
}

/** One message of a conversation. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** The words of a content, parts joined by a newline; images, calls and other parts have none. */
export function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content
  const first = content[0]
  if (content.length === 1 && first?.type === 'text') return first.text
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

const noCalls: readonly Call[] = Object.freeze([])

/** The calls of a message, in the order they were made. */
export function callsOf({ content }: Message): readonly Call[] {
  if (typeof content === 'string') return noCalls
  const calls: Call[] = []
  for (const part of content) if (part.type === 'call') calls.push(part.call)
  return calls.length === 0 ? noCalls : calls
}

/** What was thought, all of it; none where nothing was. */
export function thoughtsOf({ content }: Message): string | undefined {
  if (typeof content === 'string') return undefined
  const texts: string[] = []
  for (const part of content) if (part.type === 'thought' && part.text !== '') texts.push(part.text)
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** All that was kept of its thoughts. */
export function metadataOf({ content }: Message): ProviderMetadata | undefined {
  if (typeof content === 'string') return undefined
  let kept: ProviderMetadata | undefined
  for (const part of content) {
    if (part.type === 'thought' && part.metadata !== undefined) kept = joinMetadata(kept, part.metadata)
  }
  return kept
}

/** What a message says beside its thoughts and calls. Words that one of these stood between have a blank line there. */
export function wordsOf({ content }: Message): Content {
  if (typeof content === 'string') return content
  const words: Part[] = []
  let isApart = false
  for (const part of content) {
    const last = words.at(-1)
    if (part.type === 'thought' || part.type === 'call') isApart = true
    else {
      const joins = isApart && part.type === 'text' && last?.type === 'text'
      if (joins) words[words.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` }
      else words.push(part)
      isApart = false
    }
  }
  const [first] = words
  if (first === undefined) return ''
  return words.length === 1 && first.type === 'text' ? first.text : words
}

export type Media = Extract<Part, { type: 'image' | 'other' }>

/** Whether a piece is something to look at or listen to: neither words nor thoughts nor calls. */
export function isMedia(part: Spoken): part is Media {
  return part.type === 'image' || part.type === 'other'
}

export function hasMedia({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(isMedia)
}

/** What an assistant did, where a wire tells it apart and not in its order. */
interface Unordered {
  readonly content?: Content | undefined
  readonly reasoning?: string | undefined
  readonly metadata?: ProviderMetadata | undefined
  readonly calls?: readonly Call[] | undefined
}

/** In the order models have: thoughts, words, calls. */
export function inUsualOrder(unordered: Unordered): AssistantMessage['content'] {
  const { content = '', reasoning = '', metadata, calls = [] } = unordered
  if (reasoning === '' && metadata === undefined && calls.length === 0) return content
  const spoken: Spoken[] = []
  if (reasoning !== '' || metadata !== undefined) {
    spoken.push({ type: 'thought', text: reasoning, ...(metadata !== undefined && { metadata }) })
  }
  if (typeof content !== 'string') spoken.push(...content)
  else if (content !== '') spoken.push({ type: 'text', text: content })
  for (const call of calls) spoken.push({ type: 'call', call })
  return spoken
}

/** A content as its pieces. */
export function piecesOf<T extends Spoken>(
  content: string | readonly T[],
): readonly (T | Extract<Part, { type: 'text' }>)[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}

/** The message with each of its calls as it is given back: changed, or left out. */
export function mapCalls(message: AssistantMessage, change: (call: Call) => Call | undefined): AssistantMessage {
  const { content } = message
  if (typeof content === 'string') return message
  const changed = content.flatMap((part): readonly Spoken[] => {
    if (part.type !== 'call') return [part]
    const call = change(part.call)
    return call === undefined ? [] : [call === part.call ? part : { type: 'call', call }]
  })
  const [first] = changed
  if (first === undefined) return { ...message, content: '' }
  return { ...message, content: changed.length === 1 && first.type === 'text' ? first.text : changed }
}
