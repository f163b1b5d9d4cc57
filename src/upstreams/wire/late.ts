import { createFlow, type Flow, type LoseBatch, pullFrom, type TakeBatch } from '../../protocol/flow.ts'

/**
 * An iterable that has to do something before its first item. After that it is the other one itself: an async generator
 * around it would cost every read of an answer another turn of the microtask queue.
 */
export function startLate<T>(begin: () => Promise<Begun<T>>, onEnd?: () => void): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => startOne(begin, onEnd) }
}

function startOne<T>(begin: () => Promise<Begun<T>>, onEnd: (() => void) | undefined): Flow<T> {
  let beginning: Promise<Begun<T>> | undefined
  let rest: AsyncIterator<T> | undefined
  let isOver = false

  function over(): void {
    if (isOver) return
    isOver = true
    onEnd?.()
  }

  async function open(take: TakeBatch<T>, lose: LoseBatch): Promise<void> {
    try {
      beginning = begin()
      const { first, rest: others } = await beginning
      rest = others
      take(first.done === true ? undefined : first.value)
    } catch (thrown) {
      lose(thrown)
    }
  }

  function pull(take: TakeBatch<T>, lose: LoseBatch): void {
    if (rest === undefined) void open(take, lose)
    else pullFrom(rest, take, lose)
  }

  function pullToEnd(take: TakeBatch<T>, lose: LoseBatch): void {
    pull(
      (batch) => {
        if (batch === undefined) over()
        take(batch)
      },
      (thrown) => {
        over()
        lose(thrown)
      },
    )
  }

  return createFlow(onEnd === undefined ? pull : pullToEnd, async () => {
    try {
      await beginning
      await rest?.return?.()
    } catch {
      // Whoever reads was told.
    } finally {
      over()
    }
  })
}

export interface Begun<T> {
  readonly first: IteratorResult<T, unknown>
  readonly rest: AsyncIterator<T>
}
