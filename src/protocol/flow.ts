/** Is told the next batch, or `undefined` at the end. */
export type TakeBatch<T> = (batch: T | undefined) => void

/** Is told why there is no next one. */
export type LoseBatch = (thrown: unknown) => void

/**
 * Batches one after the other, that can be asked for without a promise: an answer is a thousand small reads, and in every
 * layer a promise, its callbacks and a turn of the microtask queue cost more than the work (`bench/gateway`: one event a
 * read). Whoever is told must not throw, and may be told before `pull` returns.
 */
export interface Flow<T> extends AsyncIterableIterator<T, void> {
  pull(take: TakeBatch<T>, lose: LoseBatch): void
}

/** Who asked for what comes next. He is told once. */
export class Waiting<T> {
  #take: TakeBatch<T> | undefined
  #lose: LoseBatch | undefined

  /** Without `take`, he is told only of a failure. */
  wait(take: TakeBatch<T> | undefined, lose: LoseBatch): void {
    this.#take = take
    this.#lose = lose
  }

  get isThere(): boolean {
    return this.#take !== undefined
  }

  give(batch: T | undefined): void {
    const take = this.#take
    this.forget()
    take?.(batch)
  }

  /** Nobody waits any more. Gives back whom to tell why. */
  forget(): LoseBatch | undefined {
    const lose = this.#lose
    this.#take = undefined
    this.#lose = undefined
    return lose
  }
}

/** A flow by how it is asked and how it is left early. */
export function createFlow<T>(pull: Flow<T>['pull'], leave: () => Promise<void> | void): Flow<T> {
  return {
    pull,
    next: () =>
      new Promise((resolve, reject) => {
        pull(
          (value) => resolve(value === undefined ? { done: true, value: undefined } : { done: false, value }),
          reject,
        )
      }),
    async return() {
      await leave()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** Asks any iterator, and a flow without a promise. */
export function pullFrom<T>(iterator: AsyncIterator<T, unknown>, take: TakeBatch<T>, lose: LoseBatch): void {
  if (isFlow(iterator)) iterator.pull(take, lose)
  else iterator.next().then((read) => take(read.done === true ? undefined : read.value), lose)
}

function isFlow<T>(iterator: AsyncIterator<T, unknown>): iterator is Flow<T> {
  return 'pull' in iterator
}
