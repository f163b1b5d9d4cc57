import { createHash } from 'node:crypto'
import { type Message, textOf } from '../../protocol/message.ts'
import type { Thread, UpstreamRequest } from '../upstream.ts'

/** Where a request can be gone on from, and what to call the place its answer will be. */
export interface Chain {
  /** The key of everything up to the last thing the assistant said; none when somebody else must be heard in full. */
  readonly before: string | undefined
  /** What this request has the model told beside the conversation, as a digest; empty when that is nothing. */
  readonly taught: string
  /** The keys of the conversation once an answer with this mark has been added, in a chat whose model was taught this. */
  after(mark: string, taught: string): readonly string[]
}

/**
 * Every key is a hash over all that was said before it, and over whom it was said to and by whom. So the same beginning
 * of two people's conversations are two keys, and another word, another tool or another model is another key. A request
 * that teaches nothing may go on with any: what its model was taught it knows, and needs no more.
 */
export function createChain(request: UpstreamRequest, thread: Thread, salt: readonly string[]): Chain {
  const { messages, model } = request
  const marks = thread.conversation()
  const said = thread.taught()
  const taught = said === '' ? '' : digest(said)
  const systems = marks.flatMap(({ role, text }) => (role === 'system' ? [text] : []))
  const spoken = marks.filter(({ role }) => role !== 'system')
  const last = spoken.findLastIndex(({ role }) => role === 'assistant')
  let link = digest(JSON.stringify([...salt, model, thread.owner, ...systems]))
  let before: string | undefined
  for (const [index, { text }] of spoken.entries()) {
    link = digest(`${link}\n${text}`)
    if (index === last) before = link
  }
  const hasMore = (freshIn(messages)?.length ?? 0) > 0
  return {
    before: before !== undefined && hasMore ? keyOf(before, taught) : undefined,
    taught,
    after(mark, known) {
      const next = digest(`${link}\n${mark}`)
      return [...new Set([keyOf(next, ''), keyOf(next, known)])]
    },
  }
}

/** What was said since the last answer that says anything: an empty one is no place to go on from. */
export function freshIn(messages: readonly Message[]): readonly Message[] | undefined {
  const answered = messages.findLastIndex(({ role, content }) => role === 'assistant' && textOf(content) !== '')
  return answered < 0 ? undefined : messages.slice(answered + 1).filter(({ role }) => role === 'user')
}

function keyOf(link: string, taught: string): string {
  return taught === '' ? link : digest(`${link}\n${taught}`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
