import { Flow, pullFrom, type Taker } from '../../protocol/flow.ts'

/**
 * An iterable that has to do something before its first item. After that it is the other one itself: an async generator
 * around it would cost every read of an answer another turn of the microtask queue.
 */
export function startLate<T>(begin: () => Promise<Begun<T>>, onEnd?: () => void): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new Late(begin, onEnd) }
}

class Late<T> extends Flow<T> {
  readonly #begin: () => Promise<Begun<T>>
  readonly #onEnd: (() => void) | undefined
  #beginning: Promise<Begun<T>> | undefined
  #rest: AsyncIterator<T> | undefined
  #isOver = false

  constructor(begin: () => Promise<Begun<T>>, onEnd: (() => void) | undefined) {
    super()
    this.#begin = begin
    this.#onEnd = onEnd
  }

  pull(taker: Taker<T>): void {
    const heard = this.#onEnd === undefined ? taker : this.#heardToEnd(taker)
    if (this.#rest === undefined) void this.#open(heard)
    else pullFrom(this.#rest, heard)
  }

  protected async leave(): Promise<void> {
    try {
      await this.#beginning
      await this.#rest?.return?.()
    } catch {
      // Whoever reads was told.
    } finally {
      this.#over()
    }
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd?.()
  }

  async #open(taker: Taker<T>): Promise<void> {
    try {
      this.#beginning = this.#begin()
      const { first, rest } = await this.#beginning
      this.#rest = rest
      taker.take(first.done === true ? undefined : first.value)
    } catch (thrown) {
      taker.lose(thrown)
    }
  }

  #heardToEnd(taker: Taker<T>): Taker<T> {
    return {
      take: (batch) => {
        if (batch === undefined) this.#over()
        taker.take(batch)
      },
      lose: (thrown) => {
        this.#over()
        taker.lose(thrown)
      },
    }
  }
}

export interface Begun<T> {
  readonly first: IteratorResult<T, unknown>
  readonly rest: AsyncIterator<T>
}
