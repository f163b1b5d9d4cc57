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
 * V8 makes new objects in a nursery that it doubles while much survives there, up to 128 MB. Half of that serves an answer as
 * well (`bench/gateway`: short answers; memory). In an idle minute V8 makes it small again, so it is watched for good: one that
 * may not grow any more would stay at 2 MB, and every request would be collected in the middle of its work.
 */
function boundNursery(): void {
  let growth = ownGrowth
  new PerformanceObserver(() => {
    const wanted = growthOf(nurseryBytes())
    if (wanted === growth) return
    growth = wanted
    setFlagsFromString(`--semi-space-growth-factor=${growth}`)
  }).observe({ entryTypes: ['gc'] })
}

/** By how much V8 has it grow, if it is not told. */
const ownGrowth = 2

/** It grows while it is not looked at, so the last step is a large one: another needs as much again to survive. */
function growthOf(bytes: number): number {
  return bytes < mostBytes / 4 ? ownGrowth : Math.max(1, Math.floor(mostBytes / bytes))
}

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
}
