import { createMemoryQuotas } from '../../server/quota/memory.ts'
import type { Lease } from '../../server/quota/quota.ts'
import { createGate, type Gate } from '../../upstreams/gate.ts'
import { createShelf } from '../../upstreams/keep.ts'
import type { GateName, SupervisorDuties } from './duties.ts'

/** The part of the supervisor's duties that is about what workers share. */
type Shared = Omit<SupervisorDuties, 'printFigures' | 'replaceMe' | 'farewell'>

/** Keeps for all workers together what one gateway would keep for itself: counts, lines of waiting requests, memory. */
export interface Desk {
  /** What one worker may ask; `clear` gives back all it held, when it has ended. */
  open(): { readonly duties: Shared; clear(): void }
}

interface Pass {
  readonly gate: Gate
  readonly abort: AbortController
  isInside: boolean
}

export function createDesk(now: () => number): Desk {
  const quotas = createMemoryQuotas(now)
  const gates = new Map<string, Gate>()
  const shelves = new Map<string, ReturnType<typeof createShelf>>()

  function gateOf([name, concurrency, queue, waitMs]: GateName): Gate {
    const key = JSON.stringify([name, concurrency, queue, waitMs])
    const known = gates.get(key) ?? createGate(name, concurrency, queue, now, waitMs)
    gates.set(key, known)
    return known
  }

  return {
    open() {
      const leases = new Map<number, Lease>()
      const passes = new Map<number, Pass>()
      let granted = 0

      function leave(id: number): void {
        const pass = passes.get(id)
        passes.delete(id)
        if (pass?.isInside === true) pass.gate.leave()
        else pass?.abort.abort(new Error('it waits no longer'))
      }

      const duties: Shared = {
        async admit(key, allowance, tokens) {
          const admission = await quotas.admit(key, allowance, tokens)
          if (admission.lease === undefined) return admission
          granted += 1
          leases.set(granted, admission.lease)
          return { lease: granted, standing: admission.standing }
        },
        release(id, tokens) {
          leases.get(id)?.release(tokens)
          leases.delete(id)
        },
        async enter(name, id) {
          const pass: Pass = { gate: gateOf(name), abort: new AbortController(), isInside: false }
          passes.set(id, pass)
          try {
            const before = await pass.gate.enter(pass.abort.signal)
            pass.isInside = true
            // Who gave up in this very moment is not there to leave.
            if (passes.get(id) !== pass) pass.gate.leave()
            return before
          } catch (error) {
            passes.delete(id)
            throw error
          }
        },
        leave,
        giveUp: leave,
        recall(namespace, key) {
          const { value, expires = Number.POSITIVE_INFINITY } = shelves.get(namespace)?.get(key) ?? {}
          return typeof value === 'string' && expires > now() ? value : undefined
        },
        remember(namespace, limits, key, value, ttlMs) {
          const shelf = shelves.get(namespace) ?? createShelf(limits)
          shelves.set(namespace, shelf)
          shelf.set(key, { value, ...(ttlMs !== undefined && { expires: now() + ttlMs }) })
        },
        forget: (namespace, key) => shelves.get(namespace)?.delete(key) ?? false,
      }

      return {
        duties,
        clear() {
          for (const lease of leases.values()) lease.release()
          leases.clear()
          for (const id of [...passes.keys()]) leave(id)
        },
      }
    },
  }
}
