import { type Event, isAside } from '../../protocol/event.ts'
import { createGathered } from './gathered.ts'

type Batches = AsyncIterable<readonly Event[]>

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
      return replay([opening.events()], undefined, onEnd)
    }
    opening.push(read.value)
    if (!whole && read.value.some((event) => !isAside(event))) return replay([opening.events()], rest, onEnd)
  }
}

async function* replay(
  opening: readonly (readonly Event[])[],
  rest: AsyncIterator<readonly Event[]> | undefined,
  onEnd: (failure?: unknown) => void,
): AsyncGenerator<readonly Event[], void> {
  try {
    yield* opening
    if (rest === undefined) return
    for (let read = await rest.next(); read.done !== true; read = await rest.next()) yield read.value
    onEnd()
  } catch (thrown) {
    onEnd(thrown)
    throw thrown
  } finally {
    await rest?.return?.()
  }
}
