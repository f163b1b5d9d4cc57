import type { SentMessage } from '../../src/traces/exchange.ts'

/** What one prompt has in common with the one before it. A model server can only reuse what is the same from the start. */
export interface Comparison {
  /** Whole messages that are the same, from the first one on. */
  readonly shared: number
  /** Characters that are the same, the beginning of the first message that differs included. */
  readonly sharedLength: number
  readonly length: number
  /** Where it differs within what was there before; undefined where the new prompt only goes on. */
  readonly breaksAt?: { readonly message: number; readonly at: number }
  /** Messages from the first that differs to the end. */
  readonly added: readonly SentMessage[]
}

export function comparePrompts(before: readonly SentMessage[], after: readonly SentMessage[]): Comparison {
  let shared = 0
  while (shared < before.length && shared < after.length && isSame(before[shared], after[shared])) shared++
  const sharedBefore = lengthOf(after.slice(0, shared))
  const [old, next] = [before[shared], after[shared]]
  const at = old !== undefined && next !== undefined && old.role === next.role ? commonPrefix(old.text, next.text) : 0
  return {
    shared,
    sharedLength: sharedBefore + at,
    length: lengthOf(after),
    // A last message that only grew is no break.
    ...(shared < before.length &&
      !(shared === before.length - 1 && old !== undefined && at === old.text.length) && {
        breaksAt: { message: shared, at },
      }),
    added: after.slice(shared),
  }
}

function isSame(one: SentMessage | undefined, other: SentMessage | undefined): boolean {
  return one?.role === other?.role && one?.text === other?.text && callsOf(one) === callsOf(other)
}

function callsOf(message: SentMessage | undefined): string {
  return JSON.stringify(message?.calls ?? [])
}

function lengthOf(messages: readonly SentMessage[]): number {
  return messages.reduce((all, message) => all + message.text.length + callsOf(message).length - 2, 0)
}

function commonPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  let at = 0
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}
