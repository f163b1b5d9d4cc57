import { createHash } from 'node:crypto'
import { type Message, textOf } from '../../protocol/message.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import type { Thread, UpstreamRequest } from '../upstream.ts'

/** Where a request can be gone on from, and what to call the place its answer will be. */
export interface Chain {
  /** The key of everything up to the last thing the assistant said; none when the whole conversation must be sent. */
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

/** One at a time, by key, in the order they came. */
export interface Locks {
  /** Waits for its turn and gives back how to end it. Rejects when the signal aborts first. */
  acquire(key: string, signal: AbortSignal): Promise<() => void>
}

export function createLocks(): Locks {
  const tails = new Map<string, Promise<void>>()
  return {
    async acquire(key, signal) {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      const before = tails.get(key) ?? Promise.resolve()
      const tail: Promise<void> = before
        .then(() => promise)
        .then(() => {
          if (tails.get(key) === tail) tails.delete(key)
        })
      tails.set(key, tail)
      try {
        await orAborted(before, signal)
      } catch (thrown) {
        // Those after it wait for those before it.
        release()
        throw thrown
      }
      return release
    },
  }
}

const speakers = { user: '[User]', assistant: '[Assistant]' } as const

/**
 * A conversation as one message: this service keeps conversations itself and takes no history. One that has only begun
 * needs no frame: the system text, a blank line, the question.
 */
export function flatten(messages: readonly Message[]): string {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [textOf(content)] : []))
  const spoken = messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'assistant' ? [{ role, text: textOf(content) }] : [],
  )
  const paragraphs = spoken.every(({ role }) => role === 'user')
    ? spoken.map(({ text }) => text)
    : [
        'This is our conversation so far:',
        ...spoken.map(({ role, text }) => `${speakers[role]}\n${text}`),
        spoken.at(-1)?.role === 'user'
          ? 'Now give your answer to the last message, as the assistant and without a label.'
          : 'Now continue your last message where it stops, without a label.',
      ]
  return [...system, ...paragraphs].filter((text) => text !== '').join('\n\n')
}
