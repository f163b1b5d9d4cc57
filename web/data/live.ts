import { signal } from '@preact/signals'
import type { Summary } from '../../src/traces/exchange.ts'
import { ApiError, eventsOf, inWords } from './api.ts'
import { untilShown, whileShown } from './shown.ts'
import { info, loadAll, loadInfo, put } from './store.ts'

/** How the page stands with the gateway. */
export type Link =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'lost'; readonly since: number; readonly retryAt: number; readonly why: string }
  /** There is no point in trying again. */
  | { readonly state: 'refused'; readonly status: number; readonly why: string }

export const link = signal<Link>({ state: 'connecting' })

const waits = [500, 1_000, 2_000, 4_000, 8_000] as const

let wake: () => void = () => undefined

/** Tries at once instead of waiting. */
export function tryNow(): void {
  wake()
}

/** Follows the gateway for as long as the page is open and looked at. What was missed meanwhile is read again. */
export async function follow(signal: AbortSignal): Promise<void> {
  let failures = 0
  let since = 0
  while (!signal.aborted) {
    await untilShown()
    const shown = whileShown(signal)
    try {
      await loadInfo(shown.signal)
      if (info.value?.access === 'usage') {
        link.value = { state: 'live' }
        return
      }
      for await (const { name, data } of eventsOf('live', shown.signal)) {
        if (name === 'open') {
          failures = 0
          link.value = { state: 'live' }
          void loadAll(shown.signal).catch(() => undefined)
        } else if (name === 'summary') put(data as Summary)
      }
      throw new Error('The stream has ended.')
    } catch (error) {
      if (signal.aborted) return
      if (shown.signal.aborted) continue
      if (error instanceof ApiError && error.status < 500) {
        link.value = { state: 'refused', status: error.status, why: error.message }
        return
      }
      if (failures === 0) since = Date.now()
      const wait = waits[Math.min(failures++, waits.length - 1)] ?? 0
      link.value = { state: 'lost', since, retryAt: Date.now() + wait, why: inWords(error) }
      await pause(wait)
    } finally {
      shown.end()
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
