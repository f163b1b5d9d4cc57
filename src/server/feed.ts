import type { Event } from '../protocol/event.ts'

interface Batch {
  readonly choice: number
  readonly events: readonly Event[]
}

/** Several answers read as one: whichever speaks next is heard next. */
export interface Feed {
  /** Undefined when all have ended. Rejects with what one of them threw, or with the signal's reason. */
  next(): Promise<Batch | undefined>
}

/**
 * Each source is at most one batch ahead of the reader, so back-pressure reaches the upstream. An abort is heard at once,
 * also while a source is waiting for a service that does not listen.
 */
export function createFeed(sources: readonly AsyncIterable<readonly Event[]>[], signal: AbortSignal): Feed {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]())
  const ready: Batch[] = []
  let running = iterators.length
  let failure: { readonly thrown: unknown } | undefined
  let waiting: { resolve(batch: Batch | undefined): void; reject(thrown: unknown): void } | undefined
  /** The choices whose last batch has been taken: they are asked again when the reader comes back. */
  let idle = iterators.map((_, choice) => choice)

  const settle = (): void => {
    if (waiting === undefined) return
    const { resolve, reject } = waiting
    const batch = ready[0]
    if (failure !== undefined) reject(failure.thrown)
    else if (batch !== undefined) {
      ready.shift()
      idle.push(batch.choice)
      resolve(batch)
    } else if (running === 0) resolve(undefined)
    else return
    waiting = undefined
  }

  const stop = (thrown: unknown): void => {
    if (failure !== undefined) return
    failure = { thrown }
    for (const iterator of iterators) void iterator.return?.().then(undefined, () => undefined)
    settle()
  }

  const pull = (choice: number): void => {
    iterators[choice]?.next().then((result) => {
      if (result.done) running -= 1
      else ready.push({ choice, events: result.value })
      settle()
    }, stop)
  }

  if (signal.aborted) stop(signal.reason)
  else signal.addEventListener('abort', () => stop(signal.reason), { once: true })

  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        const asked = idle
        idle = []
        if (failure === undefined) asked.forEach(pull)
        settle()
      }),
  }
}
