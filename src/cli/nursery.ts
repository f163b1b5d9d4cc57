import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Both halves of it. */
const mostBytes = 64 << 20

/**
 * V8 makes new objects in a nursery that it doubles while much survives there, up to 128 MB, and does not make smaller again:
 * a busy hour would stay in memory for good. Half of that serves an answer as well (`bench/gateway`: short answers; memory).
 * Whoever gave Node a size of his own on the command line keeps it.
 */
export function boundNursery(): void {
  if (process.execArgv.some((flag) => flag.includes('semi-space'))) return
  const watching = new PerformanceObserver(() => {
    if (nurseryBytes() < mostBytes) return
    setFlagsFromString('--semi-space-growth-factor=1')
    watching.disconnect()
  })
  watching.observe({ entryTypes: ['gc'] })
}

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
