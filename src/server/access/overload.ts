import { getHeapStatistics } from 'node:v8'
import type { Clock } from '../../clock.ts'
import type { LimitSettings } from '../../config/settings.ts'
import { GatewayError } from '../../errors.ts'

/** Shares from which on requests are refused, and from which on the gateway should end. */
type HeapLimits = Pick<LimitSettings, 'heapRefuseShare' | 'heapDrainShare'>

interface OverloadOptions {
  /** The share of the heap in use, from 0 to 1. */
  readonly heap?: () => number
  readonly limits: HeapLimits
  /** The second share was passed and stays passed: refusing is not enough. Called once. */
  readonly onFull: (share: number) => void
  readonly clock: Clock
}

export interface Overload {
  /** Throws while new requests would be too much. */
  check(): void
  replace(limits: HeapLimits): void
  /** As last looked at. */
  readonly share: number
  close(): void
}

const lookEveryMs = 1000
/** What is garbage goes within this many looks; what is still there is in use. */
const looksUntilFull = 3

export function heapShare(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
  return used / limit
}

/** Watches the heap: a gateway that runs out of it takes every answer under way with it. */
export function createOverload({ heap = heapShare, limits: initial, onFull, clock }: OverloadOptions): Overload {
  let limits = initial
  let share = heap()
  let looksAboveDrain = 0
  let cancel = clock.after(lookEveryMs, look)

  function look(): void {
    share = heap()
    looksAboveDrain = share >= limits.heapDrainShare ? looksAboveDrain + 1 : 0
    if (looksAboveDrain === looksUntilFull) onFull(share)
    cancel = clock.after(lookEveryMs, look)
  }

  return {
    check() {
      if (share < limits.heapRefuseShare) return
      const message = 'The gateway is short of memory and takes no new requests right now. Try again in a moment.'
      throw new GatewayError('overloaded', message, { retryAfterSeconds: 2 })
    },
    replace(next) {
      limits = next
    },
    get share() {
      return share
    },
    close: () => cancel(),
  }
}
