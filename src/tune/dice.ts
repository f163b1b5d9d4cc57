/** A seeded source of chance: the same seed, the same throws. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  chance(): number
  /** A whole number, both ends included. */
  whole(from: number, to: number): number
  pick<Item>(items: readonly Item[]): Item
  /** So many different ones, in an order of its own. */
  several<Item>(items: readonly Item[], count: number): readonly Item[]
}

/** Mulberry32 over a hash of all words: rounds next to each other have nothing in common. */
export function createDice(...words: readonly (string | number)[]): Dice {
  let state = hash(words.join('\u0000'))
  function chance(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number): number => from + Math.floor(chance() * (to - from + 1))
  function several<Item>(items: readonly Item[], count: number): readonly Item[] {
    const left = [...items]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(whole(0, left.length - 1), 1)).flat()
  }
  return {
    chance,
    whole,
    several,
    pick(items) {
      const [item] = several(items, 1)
      if (item === undefined) throw new RangeError('There is nothing to pick from.')
      return item
    },
  }
}

/** FNV-1a, finished by Murmur3's mixer. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}
