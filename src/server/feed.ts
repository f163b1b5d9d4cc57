import type { Event } from '../protocol/event.ts'
import { pullFrom } from '../protocol/flow.ts'

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
  const iterators = sources.map((source) => source[Symbol.asyncIterator]())

  return {
    run: (take) =>
      new Promise((resolve, reject) => {
        let running = iterators.length
        let isOver = false

        function stop(thrown: unknown): void {
          if (isOver) return
          isOver = true
          for (const iterator of iterators) void iterator.return?.().then(undefined, () => undefined)
          reject(thrown)
        }

        function finish(): void {
          isOver = true
          resolve()
        }

        function listen(iterator: AsyncIterator<readonly Event[]>, choice: number): void {
          const pull = (): void => pullFrom(iterator, hear, stop)

          function hear(events: readonly Event[] | undefined): void {
            if (isOver) return
            if (events === undefined) {
              running -= 1
              if (running === 0) finish()
              return
            }
            try {
              const full = take(events, choice)
              if (full === undefined) pull()
              else full.then(pull, stop)
            } catch (thrown) {
              stop(thrown)
            }
          }
          pull()
        }

        if (signal.aborted) return stop(signal.reason)
        signal.addEventListener('abort', () => stop(signal.reason), { once: true })
        if (running === 0) finish()
        else iterators.forEach(listen)
      }),
  }
}
