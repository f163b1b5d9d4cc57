import { createMemory } from '../../protocol/memory/memory.ts'
/** What was learnt from a failure, for a time: short at first, because the failure may have been a passing one, and longer each time it comes back. */
export interface Terms<T> {
  learn(key: string, value: T, firstMs: number): void
  known(key: string): T | undefined
}

interface Learnt<T> {
  readonly value: T
  readonly termMs: number
  readonly until: number
}

const longestMs = 3_600_000
const maxLearnt = 1_000

export function createTerms<T>(now: () => number): Terms<T> {
  const learnt = createMemory<Learnt<T>>({ entries: maxLearnt })
  return {
    learn(key, value, firstMs) {
      const earlier = learnt.get(key)
      const isAgain = earlier !== undefined && earlier.value === value && now() < earlier.until + longestMs
      // While it holds, nothing new is learnt of it.
      if (isAgain && now() < earlier.until) return
      const termMs = isAgain ? Math.min(earlier.termMs * 2, longestMs) : firstMs
      learnt.set(key, { value, termMs, until: now() + termMs })
    },
    known(key) {
      const found = learnt.get(key)
      return found !== undefined && now() < found.until ? found.value : undefined
    },
  }
}
