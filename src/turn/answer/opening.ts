import { type Event, isAside } from '../../protocol/event.ts'
import { Flow, pullFrom, type Taker } from '../../protocol/flow.ts'
import { createGathered, type Gathered } from './events/gathered.ts'

type Batches = AsyncIterable<readonly Event[]>

/**
 * Reads until there is something the client gets to see, or to the end for one who gets everything at once. A failure
 * before that can still be made good elsewhere, so it is thrown from here and not out of the answer. `onEnd` learns how an
 * answer ended that was opened.
 */
export function openAnswer(batches: Batches, whole: boolean, onEnd: (failure?: unknown) => void): Promise<Batches> {
  const rest = batches[Symbol.asyncIterator]()
  let opening: Gathered | undefined
  return new Promise((resolve, reject) => {
    const taker: Taker<readonly Event[]> = {
      take(batch) {
        if (batch === undefined) {
          onEnd()
          return resolve(new Replay(opening?.events() ?? [], undefined, onEnd))
        }
        const isBegun = !whole && batch.some(isSeen)
        // Mostly the first thing that comes is seen.
        if (isBegun && opening === undefined) return resolve(new Replay(batch, rest, onEnd))
        opening ??= createGathered()
        opening.push(batch)
        if (isBegun) resolve(new Replay(opening.events(), rest, onEnd))
        else pullFrom(rest, taker)
      },
      lose: reject,
    }
    pullFrom(rest, taker)
  })
}

const isSeen = (event: Event): boolean => !isAside(event)

/** What was read already, and then the rest. */
class Replay extends Flow<readonly Event[]> implements Taker<readonly Event[]> {
  #first: readonly Event[] | undefined
  readonly #rest: AsyncIterator<readonly Event[]> | undefined
  readonly #onEnd: (failure?: unknown) => void

  constructor(
    opening: readonly Event[],
    rest: AsyncIterator<readonly Event[]> | undefined,
    onEnd: (failure?: unknown) => void,
  ) {
    super()
    this.#first = opening
    this.#rest = rest
    this.#onEnd = onEnd
  }

  pull(taker: Taker<readonly Event[]>): void {
    const first = this.#first
    if (first !== undefined) {
      this.#first = undefined
      return taker.take(first)
    }
    if (this.#rest === undefined) return taker.take(undefined)
    this.wait(taker)
    pullFrom(this.#rest, this)
  }

  take(batch: readonly Event[] | undefined): void {
    if (batch === undefined) this.#onEnd()
    this.give(batch)
  }

  lose(thrown: unknown): void {
    this.#onEnd(thrown)
    this.forget()?.lose(thrown)
  }

  protected async leave(): Promise<void> {
    await this.#rest?.return?.()
  }
}
