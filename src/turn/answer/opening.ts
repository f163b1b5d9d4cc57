import { type Event, isAside } from '../../protocol/event.ts'
import { createGathered } from './events/gathered.ts'

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
  for (let step = await rest.next(); step.done !== true; step = await rest.next()) {
    opening.push(step.value)
    if (!whole && step.value.some((event) => !isAside(event))) break
  }
  return goOn(opening.events(), rest, onEnd)
}

async function* goOn(
  opening: readonly Event[],
  rest: AsyncIterator<readonly Event[], unknown>,
  onEnd: (failure?: unknown) => void,
): AsyncGenerator<readonly Event[], void> {
  try {
    yield opening
    for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value
  } catch (thrown) {
    onEnd(thrown)
    throw thrown
  } finally {
    await rest.return?.()
  }
  onEnd()
}
