/** Is told what a flow comes to: once for each time he asks. */
export interface Taker<T> {
  /** The next batch, or `undefined` at the end. */
  take(batch: T | undefined): void
  /** Why there is no next one. */
  lose(thrown: unknown): void
}

/**
 * Batches one after the other, that can be asked for without a promise: an answer is a thousand small reads, and in every
 * layer a promise, its callbacks and a turn of the microtask queue cost more than the work (`bench/gateway`: one event a
 * read). Whoever is told must not throw, and may be told before `pull` returns.
 *
 * A layer that every read goes through is one object, of a class: where many streams are open, each object it visits for a
 * read is a wait for memory, and a closure is two of them (decision 32).
 */
export abstract class Flow<T> implements AsyncIterableIterator<T, void> {
  /** Who has asked and was not told yet. */
  #taker: Taker<T> | undefined

  abstract pull(taker: Taker<T>): void

  /** Nobody asks any more. */
  protected abstract leave(): Promise<void> | void

  /** Whoever asked is told later. */
  protected wait(taker: Taker<T>): void {
    this.#taker = taker
  }

  /** Who waits, for whom nobody waits any more: what is done before he is told must not tell him something else. */
  protected forget(): Taker<T> | undefined {
    const taker = this.#taker
    this.#taker = undefined
    return taker
  }

  protected give(batch: T | undefined): void {
    this.forget()?.take(batch)
  }

  next(): Promise<IteratorResult<T, void>> {
    return new Promise((resolve, reject) => {
      this.pull({
        take: (value) => resolve(value === undefined ? { done: true, value: undefined } : { done: false, value }),
        lose: reject,
      })
    })
  }

  async return(): Promise<IteratorResult<T, void>> {
    await this.leave()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** Asks any iterator, and a flow without a promise. */
export function pullFrom<T>(iterator: AsyncIterator<T, unknown>, taker: Taker<T>): void {
  if (iterator instanceof Flow) iterator.pull(taker)
  else
    iterator.next().then(
      (read) => taker.take(read.done === true ? undefined : read.value),
      (thrown: unknown) => taker.lose(thrown),
    )
}
