import { type Event, isAside } from '../../protocol/event.ts'
import { createFlow, type LoseBatch, pullFrom, type TakeBatch, Waiting } from '../../protocol/flow.ts'
import { createGathered, type Gathered } from './gathered.ts'

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
    function take(batch: readonly Event[] | undefined): void {
      if (batch === undefined) {
        onEnd()
        return resolve(replay(opening?.events() ?? [], undefined, onEnd))
      }
      const isBegun = !whole && batch.some(isSeen)
      // Mostly the first thing that comes is seen.
      if (isBegun && opening === undefined) return resolve(replay(batch, rest, onEnd))
      opening ??= createGathered()
      opening.push(batch)
      if (isBegun) resolve(replay(opening.events(), rest, onEnd))
      else pullFrom(rest, take, reject)
    }
    pullFrom(rest, take, reject)
  })
}

const isSeen = (event: Event): boolean => !isAside(event)

/** What was read already, and then the rest. Not a generator: every read of an answer goes through it. */
function replay(
  opening: readonly Event[],
  rest: AsyncIterator<readonly Event[]> | undefined,
  onEnd: (failure?: unknown) => void,
): Batches {
  let first: readonly Event[] | undefined = opening
  const waiting = new Waiting<readonly Event[]>()

  function pull(take: TakeBatch<readonly Event[]>, lose: LoseBatch): void {
    if (first !== undefined) {
      const batch = first
      first = undefined
      return take(batch)
    }
    if (rest === undefined) return take(undefined)
    waiting.wait(take, lose)
    pullFrom(rest, pass, fail)
  }

  function pass(batch: readonly Event[] | undefined): void {
    if (batch === undefined) onEnd()
    waiting.give(batch)
  }

  function fail(thrown: unknown): void {
    onEnd(thrown)
    waiting.forget()?.(thrown)
  }

  return createFlow(pull, async () => {
    await rest?.return?.()
  })
}
