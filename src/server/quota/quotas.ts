import { createMemoryQuotas } from './memory.ts'
import type { Quotas } from './quota.ts'
import { createRedisQuotas } from './redis.ts'

interface QuotasOptions {
  /** `memory`, or the address of a Redis. Read anew by every request. */
  readonly store: () => string
  readonly now: () => number
  readonly createId: (prefix: string) => string
  readonly onChange?: (state: 'down' | 'back', reason?: string) => void
  /** Counts without a Redis, and while it is away; absent: in this process. */
  readonly memory?: Quotas | undefined
}

/** Counts where the configuration says; when that changes, the count begins anew. */
export function createQuotas({ store, now, createId, onChange, memory }: QuotasOptions): Quotas {
  const open = (place: string): Quotas =>
    place === 'memory'
      ? (memory ?? createMemoryQuotas(now))
      : createRedisQuotas({
          url: place,
          alone: memory ?? createMemoryQuotas(now),
          createId: () => createId('lease_'),
          ...(onChange && { onChange }),
        })
  let place: string | undefined
  let current: Quotas | undefined
  return {
    admit(key, allowance, tokens) {
      const wanted = store()
      if (current === undefined || place !== wanted) {
        void current?.close()
        current = open(wanted)
        place = wanted
      }
      return current.admit(key, allowance, tokens)
    },
    close: async () => current?.close(),
  }
}
