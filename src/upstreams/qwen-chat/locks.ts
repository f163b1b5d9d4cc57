import { orAborted } from '../../protocol/or-aborted.ts'

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
        // Whoever comes after waits for those before, not for this one.
        release()
        throw thrown
      }
      return release
    },
  }
}
