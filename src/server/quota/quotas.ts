import { createMemoryQuotas } from './memory.ts'
import type { Quotas } from './quota.ts'
import { createRedisQuotas } from './redis.ts'

interface QuotasOptions {
  /** `memory`, or the address of a Redis. */
  readonly store: string
  readonly now: () => number
  readonly createId: (prefix: string) => string
  readonly onChange?: (state: 'down' | 'back', reason?: string) => void
  /** Counts without a Redis, and while it is away; absent: in this process. */
  readonly memory?: Quotas | undefined
}

/** Counts where the configuration says. */
export function createQuotas({ store, now, createId, onChange, memory }: QuotasOptions): Quotas {
  const alone = memory ?? createMemoryQuotas(now)
  if (store === 'memory') return alone
  return createRedisQuotas({ url: store, alone, createId: () => createId('lease_'), ...(onChange && { onChange }) })
}
