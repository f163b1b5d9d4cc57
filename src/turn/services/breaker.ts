/** Whether a service is worth asking, by how it did before. */
export interface Breaker {
  /** `closed`: ask it. `half-open`: ask it once, to see. `open`: only if there is no other. */
  readonly state: 'closed' | 'half-open' | 'open'
  /** A request to it begins. */
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

  return {
    get state() {
      if (now() < restUntil) return 'open'
      if (failures < maxFailures) return 'closed'
      return now() < openUntil ? 'open' : 'half-open'
    },
    begin() {
      // While one tries, it stays open for the others, but not for ever: the trial may end without a report.
      if (failures >= maxFailures && now() >= openUntil) openUntil = now() + openMs
    },
    succeed() {
      failures = 0
    },
    fail() {
      failures += 1
      if (failures >= maxFailures) openUntil = now() + openMs
    },
    rest(ms) {
      restUntil = Math.max(restUntil, now() + Math.min(ms, maxRestMs))
    },
  }
}
