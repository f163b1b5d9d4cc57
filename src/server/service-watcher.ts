import type { Clock } from '../clock.ts'
import { overallState } from '../turn/services/services.ts'
import type { ServiceCard } from '../turn/turn.ts'

/** A service that went away or came back. */
export interface ServiceChange {
  readonly service: ServiceCard
  readonly state: 'down' | 'back'
}

export interface ServiceWatcher {
  /** As last seen; undefined before the first check. */
  readonly services: readonly ServiceCard[] | undefined
  /** Checks now, and from then on every few seconds. */
  check(patience?: AbortSignal): Promise<readonly ServiceCard[]>
  close(): void
}

interface WatcherOptions {
  readonly services: (signal: AbortSignal, patience?: AbortSignal) => Promise<readonly ServiceCard[]>
  readonly onChange: (change: ServiceChange) => void
  readonly clock: Clock
}

/** How often it is seen whether a service is due; each says itself how often it may be asked. */
const checkEveryMs = 5_000

/** Checks the services in the background, so that a request for their state need not wait, and reports changes. */
export function createServiceWatcher({ services: ask, onChange, clock }: WatcherOptions): ServiceWatcher {
  const closed = new AbortController()
  let services: readonly ServiceCard[] | undefined
  let cancel: (() => void) | undefined

  function compare(before: readonly ServiceCard[], after: readonly ServiceCard[]): void {
    for (const service of after) {
      const known = before.find(({ name }) => name === service.name)
      if (known?.state !== 'down' && service.state === 'down') onChange({ service, state: 'down' })
      if (known?.state === 'down' && service.state !== 'down') onChange({ service, state: 'back' })
    }
  }

  async function check(patience?: AbortSignal): Promise<readonly ServiceCard[]> {
    cancel?.()
    try {
      const seen = await ask(closed.signal, patience)
      const before = services
      services = seen
      if (before !== undefined) compare(before, seen)
    } catch {
      // Closed, or a failure of ours that the requests will show: what was seen last stays.
    }
    cancel?.()
    if (!closed.signal.aborted) cancel = clock.after(checkEveryMs, () => void check())
    return services ?? []
  }

  return {
    get services() {
      return services
    },
    check,
    close() {
      closed.abort()
      cancel?.()
    },
  }
}

/** What `/readyz` says of the services: no addresses, because it needs no key. */
export function printReadiness(services: readonly ServiceCard[]): {
  readonly state: 'ready' | 'degraded' | 'down'
  readonly troubles: readonly { readonly service: string; readonly reason: string }[]
} {
  const troubles = services
    .filter(({ state }) => state === 'down')
    .map(({ name, reason = '', remedy }) => ({
      service: name,
      reason: remedy === undefined ? reason : `${reason} ${remedy}`,
    }))
  return { state: overallState(services), troubles }
}
