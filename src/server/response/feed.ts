import type { Event } from '../../protocol/event.ts'
import { pullFrom, type Taker } from '../../protocol/flow.ts'

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
        const feeding = new Feeding(iterators, take, resolve, reject)
        if (signal.aborted) return feeding.stop(signal.reason)
        signal.addEventListener('abort', () => feeding.stop(signal.reason), { once: true })
        feeding.begin()
      }),
  }
}

class Feeding {
  readonly take: Take
  isOver = false
  #running: number
  readonly #iterators: readonly AsyncIterator<readonly Event[]>[]
  readonly #resolve: () => void
  readonly #reject: (thrown: unknown) => void

  constructor(
    iterators: readonly AsyncIterator<readonly Event[]>[],
    take: Take,
    resolve: () => void,
    reject: (thrown: unknown) => void,
  ) {
    this.take = take
    this.#running = iterators.length
    this.#iterators = iterators
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(): void {
    if (this.#running === 0) this.#finish()
    else for (const [choice, iterator] of this.#iterators.entries()) new Listening(this, iterator, choice).pull()
  }

  stop(thrown: unknown): void {
    if (this.isOver) return
    this.isOver = true
    for (const iterator of this.#iterators) void iterator.return?.().then(undefined, () => undefined)
    this.#reject(thrown)
  }

  endOne(): void {
    this.#running -= 1
    if (this.#running === 0) this.#finish()
  }

  #finish(): void {
    this.isOver = true
    this.#resolve()
  }
}

/** To one of the answers. */
class Listening implements Taker<readonly Event[]> {
  readonly #feeding: Feeding
  readonly #iterator: AsyncIterator<readonly Event[]>
  readonly #choice: number

  constructor(feeding: Feeding, iterator: AsyncIterator<readonly Event[]>, choice: number) {
    this.#feeding = feeding
    this.#iterator = iterator
    this.#choice = choice
  }

  pull(): void {
    pullFrom(this.#iterator, this)
  }

  take(events: readonly Event[] | undefined): void {
    const feeding = this.#feeding
    if (feeding.isOver) return
    if (events === undefined) return feeding.endOne()
    try {
      const full = feeding.take(events, this.#choice)
      if (full === undefined) this.pull()
      else
        full.then(
          () => this.pull(),
          (thrown: unknown) => feeding.stop(thrown),
        )
    } catch (thrown) {
      feeding.stop(thrown)
    }
  }

  lose(thrown: unknown): void {
    this.#feeding.stop(thrown)
  }
}
