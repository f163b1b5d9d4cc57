import { createMemory } from '../../protocol/memory/memory.ts'

/**
 * What was made of a list before, or is made now. An agent sends the same tools with every request: they are checked once,
 * and everything made of them later (compiled schemas, the words that teach them) is found again by their identity.
 * `bench/prepare.ts` shows what that saves.
 */
export type KnownLists<T> = (list: readonly unknown[], limit: number, make: () => T) => T

/** Lists are known by their JSON, within bounds. */
export function createKnownLists<T>(): KnownLists<T> {
  const bySaying = createMemory<T>({ entries: 256, characters: 16_000_000 })
  return (list, limit, make) => bySaying.recall(JSON.stringify([list, limit]), make)
}
