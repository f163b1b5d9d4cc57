/** A bounded memory by text: the oldest goes first. */
export interface Memory<T> {
  /** What was made for this key before, or is made now. A make that throws leaves nothing behind. */
  recall(key: string, make: () => T): T
}

/** `entries` and `characters` (of all keys together) bound it; a key that alone would fill half of it is not kept. */
export function createMemory<T>(limits: { readonly entries: number; readonly characters: number }): Memory<T> {
  const known = new Map<string, T>()
  let characters = 0
  return {
    recall(key, make) {
      const found = known.get(key)
      if (found !== undefined) return found
      const made = make()
      if (key.length > limits.characters / 2) return made
      known.set(key, made)
      characters += key.length
      for (const oldest of known.keys()) {
        if (known.size <= limits.entries && characters <= limits.characters) break
        known.delete(oldest)
        characters -= oldest.length
      }
      return made
    },
  }
}
