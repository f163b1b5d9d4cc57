import type { Exchange } from '../../doors/door.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { isLasting, lasting, MadeOf } from '../../protocol/memory/lasting.ts'
import type { Message } from '../../protocol/message.ts'

/** Makes messages that were there before the same objects again, whichever door read them. */
export type Again = (exchange: Exchange, items: unknown) => Exchange

/** How far from its end a conversation is looked at for where it ended the last time. */
const mostNew = 32

/**
 * Whatever is made of a message is found by the message ([decision 29](../../../docs/decisions/0029-a-conversation-is-known-again.md)).
 * A door that makes its messages of several items, or one of many, cannot tell which of them are known. So it makes them
 * all, and here those that came out as they did the last time are exchanged for what they were then. To compare
 * costs little: their texts are the same strings, because the items they come from are the same objects (`bench/doors.ts`).
 */
export function createAgain(): Again {
  /** What a conversation was read as, by its last item. */
  const known = new MadeOf<readonly Message[]>()

  function lastOf(items: readonly unknown[]): readonly Message[] | undefined {
    const least = Math.max(0, items.length - mostNew)
    for (let place = items.length - 1; place >= least; place--) {
      const item = items[place]
      const found = isJsonObject(item) ? known.get(item) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  return (exchange, items) => {
    const [request] = exchange.requests
    if (request === undefined || !Array.isArray(items)) return exchange
    const last: unknown = items.at(-1)
    const { messages } = request
    // Those that last are known already: their door saw to it.
    if (!isJsonObject(last) || !isLasting(last) || messages.every(isLasting)) return exchange
    const before = lastOf(items)
    const same = messages.map((message, place) => sameAs(before?.[place], message))
    known.set(last, same)
    return { ...exchange, requests: exchange.requests.map((one) => ({ ...one, messages: same })) }
  }
}

function sameAs(before: Message | undefined, message: Message): Message {
  if (before !== undefined && isAlike(before, message)) return before
  return lasting(message)
}

function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      isAlike((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
  )
}
