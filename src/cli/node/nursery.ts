import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { isGiven, setFlag } from './flags.ts'

/** Both halves of it. */
const mostBytes = 64 << 20

/** What V8 does not know about the objects of a gateway. */
export function tendNursery(): void {
  makeAllYoung()
  if (!isGiven('semi-space')) boundNursery()
}

/**
 * Where most objects have lived long, V8 makes the next ones among the old at once. After some hundred long streams that
 * would be the state of every request, and a quick collection could free nothing that a short one has made either: short
 * answers took twice as long for good (`bench/gateway`: short after paced).
 */
function makeAllYoung(): void {
  setFlag('allocation-site-pretenuring', '--no-allocation-site-pretenuring')
}

/**
 * V8 makes new objects in a nursery that it doubles while much survives there, up to 128 MB, and does not make smaller again:
 * a busy hour would stay in memory for good. Half of that serves an answer as well (`bench/gateway`: short answers; memory).
 */
function boundNursery(): void {
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
