import type { Call } from './call.ts'
import type { Json } from './json.ts'
import type { Keepsake } from './keepsake.ts'

/** One piece of a message's content. `other` carries what we do not translate (audio, files) to upstreams that take it. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly url: string; readonly detail?: string }
  | { readonly type: 'other'; readonly value: Json }

export type Content = string | readonly Part[]

export interface SystemMessage {
  readonly role: 'system'
  readonly content: Content
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: Content
  readonly name?: string
}

export interface AssistantMessage {
  readonly role: 'assistant'
  /** What the assistant said beside its calls; empty when it only called. */
  readonly content: Content
  readonly reasoning?: string
  readonly keepsake?: Keepsake
  readonly calls: readonly Call[]
  readonly name?: string
}

/** The result of one call, matched to it by `callId`. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly content: Content
  readonly name?: string
}

/** One message of a conversation. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** The words of a content, parts joined by a newline; images and other parts have none. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
