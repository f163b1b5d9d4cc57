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
    const bytes = nurseryBytes()
    // It grows while it is not looked at, so the last step is a large one: another needs as much again to survive.
    if (bytes >= mostBytes / 4) grow(Math.max(1, Math.floor(mostBytes / bytes)))
    if (bytes >= mostBytes) watching.disconnect()
  })
  watching.observe({ entryTypes: ['gc'] })
}

/** By how much, the next time. */
function grow(times: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${times}`)
}

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
