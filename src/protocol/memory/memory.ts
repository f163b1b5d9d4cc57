/** A bounded memory by text: the oldest goes first. */
export interface Memory<T> {
  get(key: string): T | undefined
  /** Puts it last in line to be forgotten. */
  set(key: string, value: T): void
  /** Whether it was there. */
  delete(key: string): boolean
  /** What was made for this key before, or is made now. A make that throws leaves nothing behind. */
  recall(key: string, make: () => T): T
}

export interface MemoryLimits<T> {
  readonly entries: number
  /** Of all entries together. Default: as many as there are. */
  readonly characters?: number
  /** The characters of one entry. Default: those of its key. */
  sizeOf?(value: T, key: string): number
  /** Entries that are of no use any more. They go first, as far as they are the oldest. */
  isOver?(value: T): boolean
}

/** For `recall`, a key that alone would fill half of the memory is not kept. */
export function createMemory<T>(limits: MemoryLimits<T>): Memory<T> {
  const { entries, characters: most = Number.POSITIVE_INFINITY } = limits
  const { sizeOf = (_, key) => key.length, isOver = () => false } = limits
  const known = new Map<string, { readonly value: T; readonly size: number }>()
  let characters = 0

  function forget(key: string): boolean {
    characters -= known.get(key)?.size ?? 0
    return known.delete(key)
  }

  function set(key: string, value: T): void {
    forget(key)
    const size = sizeOf(value, key)
    known.set(key, { value, size })
    characters += size
    for (const [oldest, { value: old }] of known) {
      if (known.size <= entries && characters <= most && !isOver(old)) break
      forget(oldest)
    }
  }

  return {
    get: (key) => known.get(key)?.value,
    set,
    delete: forget,
    recall(key, make) {
      const found = known.get(key)
      if (found !== undefined) return found.value
      const made = make()
      if (key.length <= most / 2) set(key, made)
      return made
    },
  }
}

/**
 * Several words as one, by which something is found again: no other words make the same one. For every request, so without
 * looking at what they say, as JSON would.
 */
export function toKey(...words: readonly string[]): string {
  let key = ''
  for (const word of words) key += `${word.length} ${word} `
  return key
}
