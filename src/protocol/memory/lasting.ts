const room = Symbol('room')

interface Roomy {
  readonly [room]?: unknown[]
}

let places = 0

/**
 * What comes again with every request of a conversation is the same frozen object each time
 * ([decision 29](../../../docs/decisions/0029-a-conversation-is-known-again.md)). This freezes one, and gives it room for what others
 * make of it. Copies of it have none.
 */
export function lasting<T extends object>(value: T): T {
  if (Object.isFrozen(value)) return value
  Object.defineProperty(value, room, { value: new Array(places).fill(undefined) })
  return Object.freeze(value)
}

export function isLasting(value: object): boolean {
  return (value as Roomy)[room] !== undefined
}

/**
 * One thing that is made of what lasts, and found by it. A `WeakMap` would do the same. But a long conversation asks a thousand
 * times a request, each a search in a table that no cache holds; and a full collection has to visit all tables while everything
 * else stands still (`bench/gateway`: turns 31 to 40).
 */
export class MadeOf<T> {
  readonly #place = places++

  get(owner: object): T | undefined {
    return (owner as Roomy)[room]?.[this.#place] as T | undefined
  }

  /** Of what does not last, nothing is kept. */
  set(owner: object, made: T): void {
    const kept = (owner as Roomy)[room]
    if (kept !== undefined) kept[this.#place] = made
  }
}
