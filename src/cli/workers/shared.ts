import { createMemoryQuotas } from '../../server/quota/memory.ts'
import type { Allowance, Quotas } from '../../server/quota/quota.ts'
import { createGate, type Gate } from '../../upstreams/gate.ts'
import { createTexts, type StoreBackend, type StoreLimits } from '../../upstreams/store.ts'
import type { Shared } from '../compose/service.ts'
import type { Call } from './rpc.ts'

/** What workers share: counts of keys, places at model servers, and what conversations go on from. The supervisor keeps it. */

type GateName = readonly [name: string, concurrency: number, queue: number, waitMs: number]

export type SharedCalls = ReturnType<ReturnType<typeof createShared>['open']>['calls']

export function createShared(now: () => number) {
  const quotas = createMemoryQuotas(now)
  const gates = new Map<string, Gate>()
  const stores = new Map<string, ReturnType<typeof createTexts>>()

  function gateOf([name, concurrency, queue, waitMs]: GateName): Gate {
    const key = JSON.stringify([name, concurrency, queue, waitMs])
    const gate = gates.get(key) ?? createGate(name, concurrency, queue, now, waitMs)
    gates.set(key, gate)
    return gate
  }

  return {
    /** The calls of one worker, which chooses the ids. `clear` gives back what it held, when it has ended. */
    open() {
      const held = new Map<number, (tokens?: number) => void>()
      function release(id: number, tokens?: number): void {
        const giveBack = held.get(id)
        held.delete(id)
        giveBack?.(tokens)
      }
      const calls = {
        async admit(id: number, key: string, allowance: Allowance, tokens: number) {
          const { lease, ...admission } = await quotas.admit(key, allowance, tokens)
          if (lease !== undefined) held.set(id, (taken) => lease.release(taken))
          return admission
        },
        /** Resolves when it is this one's turn, with how many were before. */
        async enter(id: number, name: GateName) {
          const gate = gateOf(name)
          const abort = new AbortController()
          held.set(id, () => abort.abort(new Error('it waits no longer')))
          const before = await gate.enter(abort.signal)
          // Given up in the same moment.
          if (!held.has(id)) gate.leave()
          else held.set(id, gate.leave)
          return before
        },
        release,
        get: (namespace: string, key: string) => stores.get(namespace)?.get(key),
        set(namespace: string, limits: StoreLimits, key: string, text: string, ttlMs: number) {
          const texts = stores.get(namespace) ?? createTexts(limits, now)
          stores.set(namespace, texts)
          texts.set(key, text, ttlMs)
        },
        delete: (namespace: string, key: string) => stores.get(namespace)?.delete(key) ?? false,
      }
      const clear = (): void => {
        for (const id of [...held.keys()]) release(id)
      }
      return { calls, clear }
    },
  }
}

/** The same, as a worker uses it. */
export function useShared(call: Call<SharedCalls>): Pick<Shared, 'quotas' | 'gate' | 'memory'> {
  let ids = 0
  const release = (id: number, tokens?: number) => void call('release', id, tokens).catch(() => undefined)
  const quotas: Quotas = {
    async admit(key, { requestsPerMinute, tokensPerMinute, parallel }, tokens) {
      const id = ids++
      const admission = await call('admit', id, key, { requestsPerMinute, tokensPerMinute, parallel }, tokens)
      return 'measure' in admission ? admission : { ...admission, lease: { release: (taken) => release(id, taken) } }
    },
    close: async () => undefined,
  }
  const memory = (namespace: string, limits: StoreLimits): StoreBackend => ({
    get: (key) => call('get', namespace, key),
    set: (key, text, ttlMs) => call('set', namespace, limits, key, text, ttlMs),
    delete: (key) => call('delete', namespace, key),
  })
  function gate(name: string, concurrency: number, queue: number, _now: () => number, waitMs: number): Gate {
    // Which of those that are in leaves first makes no difference.
    const inside: number[] = []
    let waiting = 0
    return {
      async enter(signal) {
        signal.throwIfAborted()
        const id = ids++
        const giveUp = (): void => release(id)
        signal.addEventListener('abort', giveUp, { once: true })
        waiting += 1
        try {
          const before = await call('enter', id, [name, concurrency, queue, waitMs])
          signal.throwIfAborted()
          inside.push(id)
          return before
        } catch (error) {
          throw signal.aborted ? signal.reason : error
        } finally {
          waiting -= 1
          signal.removeEventListener('abort', giveUp)
        }
      },
      leave() {
        const id = inside.shift()
        if (id !== undefined) release(id)
      },
      get load() {
        return { active: inside.length, waiting }
      },
    }
  }
  return { quotas, memory, gate }
}
