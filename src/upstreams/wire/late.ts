/**
 * An iterable that has to do something before its first item. After that it is the other one itself: an async generator
 * around it would cost every read of an answer another turn of the microtask queue.
 */
export function startLate<T>(begin: () => Promise<Begun<T>>, onEnd?: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let beginning: Promise<Begun<T>> | undefined
      let rest: AsyncIterator<T> | undefined
      let isOver = false

      function over(): void {
        if (isOver) return
        isOver = true
        onEnd?.()
      }

      async function watch(read: Promise<IteratorResult<T, unknown>>): Promise<IteratorResult<T, unknown>> {
        try {
          const result = await read
          if (result.done === true) over()
          return result
        } catch (thrown) {
          over()
          throw thrown
        }
      }

      async function open(): Promise<IteratorResult<T, unknown>> {
        beginning = begin()
        const begun = await beginning
        rest = begun.rest
        return begun.first
      }

      return {
        next() {
          const read = rest === undefined ? open() : rest.next()
          return onEnd === undefined ? read : watch(read)
        },
        async return() {
          try {
            await beginning
            await rest?.return?.()
          } catch {
            // Whoever reads was told.
          } finally {
            over()
          }
          return { done: true, value: undefined }
        },
      }
    },
  }
}

export interface Begun<T> {
  readonly first: IteratorResult<T, unknown>
  readonly rest: AsyncIterator<T>
}
