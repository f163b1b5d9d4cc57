import { countsOf, type Family, mergeFamilies, printFamilies } from '../../server/metrics/families.ts'
import { createRegistry } from '../../server/metrics/registry.ts'
import type { Reason } from './duties.ts'
import type { Hand } from './hand.ts'

/** How long a worker may take to tell its figures; then those it told last stand. */
const withinMs = 1000

/** The figures of all workers as those of one gateway. What a worker has counted stays counted when it has ended. */
export function createFigures(hands: () => readonly Hand[]) {
  const registry = createRegistry()
  const restarts = registry.counter('dragoman_worker_restarts_total', 'Workers that were replaced, by reason.')
  registry.gauge('dragoman_workers', 'Workers, those included that finish what they have.', () => [
    { value: hands().length },
  ])
  registry.gauge('process_resident_memory_bytes', 'Resident memory.', () => [{ value: process.memoryUsage.rss() }])
  let ended: readonly Family[] = []

  async function ask(hand: Hand): Promise<void> {
    const told = await within(hand.line.ask('figures'), withinMs)
    if (told !== undefined) hand.figures = told
  }

  async function gather(but?: Hand): Promise<void> {
    await Promise.all(
      hands()
        .filter((hand) => hand !== but)
        .map(ask),
    )
  }

  return {
    restarted: (reason: Reason | 'died' | 'reload') => restarts.add({ reason }),
    keep(hand: Hand): void {
      ended = mergeFamilies([ended, countsOf(hand.figures)])
    },
    gather,
    /** `own` are those of the worker that asks, as of now. */
    async print(asking: Hand | undefined, own: readonly Family[]): Promise<string> {
      await gather(asking)
      if (asking !== undefined) asking.figures = own
      // All of one moment: a worker may have ended meanwhile.
      const all = hands().map((hand) => hand.figures)
      return printFamilies(mergeFamilies([own, ...all.filter((one) => one !== own), ended, registry.read()]))
    },
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([promise.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
