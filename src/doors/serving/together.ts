import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import type { Turn } from '../../turn/turn.ts'

/**
 * Reads several answers at once until all have ended. `take` gets what one of them said, and gives back what to wait for before
 * that one is asked to go on: so back-pressure reaches the model server. Rejects with what one of them or `take` threw, or at
 * once when the signal aborts, also while a service is waited for that does not listen.
 */
export async function readTogether(
  turns: readonly Pick<Turn, 'events'>[],
  signal: AbortSignal,
  take: (events: readonly Event[], choice: number) => Promise<void> | undefined | void,
): Promise<void> {
  const iterators = turns.map(({ events }) => events[Symbol.asyncIterator]())
  let isOver = false
  const readAll = async (iterator: AsyncIterator<readonly Event[]>, choice: number): Promise<void> => {
    while (!isOver) {
      const { done, value } = await iterator.next()
      if (isOver || done === true) return
      const full = take(value, choice)
      if (full !== undefined) await full
    }
  }
  try {
    signal.throwIfAborted()
    await orAborted(Promise.all(iterators.map(readAll)), signal)
  } catch (thrown) {
    isOver = true
    for (const iterator of iterators) void iterator.return?.().then(undefined, () => undefined)
    throw thrown
  }
}
