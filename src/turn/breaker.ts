/** Whether a service is worth asking, by how it did before. */
export interface Breaker {
  /** `closed`: ask it. `half-open`: ask it once, to see. `open`: only if there is nobody else. */
  readonly state: 'closed' | 'half-open' | 'open'
  /** Somebody asks it. */
  begin(): void
  succeed(): void
  fail(): void
  /** It asked to be left alone for so long. */
  rest(ms: number): void
}

const maxFailures = 5
const openMs = 10_000
const maxRestMs = 60_000

export function createBreaker(now: () => number): Breaker {
  let failures = 0
  let openUntil = 0
  let restUntil = 0
  let isTrying = false

  return {
    get state() {
      if (now() < restUntil) return 'open'
      if (failures < maxFailures) return 'closed'
      return now() < openUntil || isTrying ? 'open' : 'half-open'
    },
    begin() {
      if (failures < maxFailures || isTrying) return
      isTrying = true
      // A trial whose outcome nobody reports, because its client went away, does not bar the next for ever.
      openUntil = now() + openMs
    },
    succeed() {
      failures = 0
      isTrying = false
    },
    fail() {
      failures += 1
      isTrying = false
      if (failures >= maxFailures) openUntil = now() + openMs
    },
    rest(ms) {
      restUntil = Math.max(restUntil, now() + Math.min(ms, maxRestMs))
      isTrying = false
    },
  }
}
