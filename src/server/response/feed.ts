import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'

/** Takes what one answer said. Gives back what to wait for before it is asked to go on. */
type Take = (events: readonly Event[], choice: number) => Promise<void> | undefined

/** Several answers read as one: whichever speaks next is heard next. */
export interface Feed {
  /** Resolves when all have ended. Rejects with what one of them or `take` threw, or with the signal's reason. */
  run(take: Take): Promise<void>
}

/**
 * A source is asked again when its last batch was taken, so back-pressure reaches the upstream. An abort is heard at once,
 * also while a source is waiting for a service that does not listen.
 */
export function createFeed(sources: readonly AsyncIterable<readonly Event[]>[], signal: AbortSignal): Feed {
  return {
    async run(take) {
      const iterators = sources.map((source) => source[Symbol.asyncIterator]())
      let isOver = false
      const readAll = async (iterator: AsyncIterator<readonly Event[]>, choice: number): Promise<void> => {
        while (!isOver) {
          const { done, value } = await iterator.next()
          if (isOver || done === true) return
          const full = take(value, choice)
          if (full !== undefined) await full
        }
      }
      try {
        signal.throwIfAborted()
        await orAborted(Promise.all(iterators.map(readAll)), signal)
      } catch (thrown) {
        isOver = true
        for (const iterator of iterators) void iterator.return?.().then(undefined, () => undefined)
        throw thrown
      }
    },
  }
}
