import { setTimeout } from 'node:timers/promises'
import { countsOf, createRegistry, type Family, mergeFamilies, printFamilies } from '../../server/metrics/registry.ts'
import type { Reason, WorkerCalls } from './calls.ts'
import type { Call } from './rpc.ts'

/** What a worker has counted. */
export interface Counted {
  readonly call: Call<WorkerCalls>
  /** As last reported. */
  figures: readonly Family[]
}

/** How long a worker may take to give its figures; then its last ones stand. */
const withinMs = 1000

/** The figures of all workers as those of one gateway. What a worker has counted stays counted when it has ended. */
export function createFigures(members: ReadonlySet<Counted>) {
  const registry = createRegistry()
  const restarts = registry.counter('dragoman_worker_restarts_total', 'Workers that were replaced, by reason.')
  registry.gauge('dragoman_workers', 'Workers, those included that finish what they have.', () => [
    { value: members.size },
  ])
  registry.gauge('process_resident_memory_bytes', 'Resident memory.', () => [{ value: process.memoryUsage.rss() }])
  let ended: readonly Family[] = []

  return {
    restarted: (reason: Reason | 'died' | 'reload') => restarts.add({ reason }),
    keep({ figures }: Counted): void {
      ended = mergeFamilies([ended, countsOf(figures)])
    },
    /** `own` are those of the worker that asks, as of now. */
    async print(asking: Counted, own: readonly Family[]): Promise<string> {
      asking.figures = own
      const others = [...members].filter((member) => member !== asking)
      await Promise.all(
        others.map(async (member) => {
          const late = setTimeout(withinMs, member.figures, { ref: false })
          member.figures = await Promise.race([member.call('figures').catch(() => late), late])
        }),
      )
      // All of one moment: a worker may have ended meanwhile, or the one that asks may have.
      const running = [...members].filter((member) => member !== asking).map(({ figures }) => figures)
      return printFamilies(mergeFamilies([own, ...running, ended, registry.read()]))
    },
  }
}
