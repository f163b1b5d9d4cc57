import { type Event, isAside } from '../../protocol/event.ts'
import { createGathered } from './gathered.ts'

type Batches = AsyncIterable<readonly Event[]>
type Read = IteratorResult<readonly Event[], unknown>

/**
 * Reads until there is something the client gets to see, or to the end for one who gets everything at once. A failure
 * before that can still be made good elsewhere, so it is thrown from here and not out of the answer. `onEnd` learns how an
 * answer ended that was opened.
 */
export async function openAnswer(
  batches: Batches,
  whole: boolean,
  onEnd: (failure?: unknown) => void,
): Promise<Batches> {
  const rest = batches[Symbol.asyncIterator]()
  const opening = createGathered()
  for (;;) {
    const read = await rest.next()
    if (read.done === true) {
      onEnd()
      return replay(opening.events(), undefined, onEnd)
    }
    opening.push(read.value)
    if (!whole && read.value.some((event) => !isAside(event))) return replay(opening.events(), rest, onEnd)
  }
}

/** What was read already, and then the rest. Not a generator: every read of an answer goes through it. */
function replay(
  opening: readonly Event[],
  rest: AsyncIterator<readonly Event[]> | undefined,
  onEnd: (failure?: unknown) => void,
): Batches {
  let first: readonly Event[] | undefined = opening

  function next(): Promise<Read> {
    if (first === undefined) return rest === undefined ? Promise.resolve(over) : rest.next().then(pass, fail)
    const value = first
    first = undefined
    return Promise.resolve({ done: false, value })
  }

  function pass(read: Read): Read {
    if (read.done === true) onEnd()
    return read
  }

  function fail(thrown: unknown): never {
    onEnd(thrown)
    throw thrown
  }

  const iterator: AsyncIterator<readonly Event[]> = {
    next,
    async return() {
      await rest?.return?.()
      return over
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

const over: Read = { done: true, value: undefined }
