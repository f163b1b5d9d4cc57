import { GatewayError } from '../../errors.ts'
import { BadGeneration, type Upstream } from '../../upstreams/upstream.ts'

/** Several services for one model: who is asked first, and who next when one fails. */
export interface Relay {
  /** What the first of them gives that gives anything. Throws what the last one threw, or what is the request's own fault. */
  run<T>(upstreams: readonly Upstream[], attempt: (upstream: Upstream) => Promise<T>, options: RelayOptions): Promise<T>
  /** How an answer that had begun ended: whole, or by a failure. */
  report(upstream: Upstream, failure?: unknown): void
}

interface RelayOptions {
  readonly signal: AbortSignal
  readonly weights?: Readonly<Record<string, number>> | undefined
  /** Whether another may have what this one has not, beside the failures that always say so. */
  mayAnother?(failure: GatewayError): boolean
}

const anotherMayHelp: ReadonlySet<string> = new Set([
  'upstream_error',
  'upstream_unreachable',
  'upstream_truncated',
  'upstream_malformed',
  'upstream_blocked',
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_auth',
  'upstream_forbidden',
  'rate_limit_exceeded',
  'insufficient_quota',
  'queue_full',
])

/** What says that the service itself is in trouble. A refusal says the opposite: it is there. */
const troubles: ReadonlySet<string> = new Set([
  'upstream_error',
  'upstream_unreachable',
  'upstream_truncated',
  'upstream_malformed',
  'upstream_overloaded',
  'upstream_timeout',
])

/** What is said of an account, not of the service. */
const limits: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'insufficient_quota'])

const ranks = { closed: 0, 'half-open': 0, open: 1 }

export function createRelay(
  now: () => number,
  random: () => number = Math.random,
  /** Told of every answer that ended whole, and of every failure that is the service's own. */
  onOutcome: (upstream: Upstream, failure?: GatewayError) => void = () => undefined,
): Relay {
  const breakers = new Map<string, Breaker>()

  function breakerOf({ name }: Upstream): Breaker {
    const breaker = breakers.get(name) ?? createBreaker(now)
    breakers.set(name, breaker)
    return breaker
  }

  const byTrouble = (a: Upstream, b: Upstream) => ranks[breakerOf(a).state] - ranks[breakerOf(b).state]

  function report(upstream: Upstream, failure?: unknown): void {
    const breaker = breakerOf(upstream)
    if (failure === undefined) onOutcome(upstream)
    // A call its model got wrong is no trouble of the service.
    if (!(failure instanceof GatewayError) || failure instanceof BadGeneration) breaker.succeed()
    else if (upstream.isPersonal === true && limits.has(failure.code)) breaker.succeed()
    else if (failure.retryAfterSeconds !== undefined && anotherMayHelp.has(failure.code)) {
      breaker.rest(failure.retryAfterSeconds * 1000)
    } else if (troubles.has(failure.code)) {
      breaker.fail()
      onOutcome(upstream, failure)
    } else breaker.succeed()
  }

  return {
    report,
    async run(upstreams, attempt, { signal, weights, mayAnother }) {
      let left = weights === undefined ? upstreams : shuffle(upstreams, weights, random)
      let failure: unknown
      while (left.length > 0) {
        // Looked at anew each time: meanwhile others have learnt more. Those in trouble are asked last, but they are asked.
        const [upstream, ...others] = left.length === 1 ? left : left.toSorted(byTrouble)
        if (upstream === undefined) break
        left = others.filter((other) => other !== upstream)
        breakerOf(upstream).begin()
        try {
          return await attempt(upstream)
        } catch (thrown) {
          if (signal.aborted) throw thrown
          report(upstream, thrown)
          if (!(thrown instanceof GatewayError)) throw thrown
          if (!anotherMayHelp.has(thrown.code) && mayAnother?.(thrown) !== true) throw thrown
          failure = thrown
        }
      }
      throw failure
    },
  }
}

/** An order in which each comes first as often as its weight says. Who has none counts as one. */
function shuffle(
  upstreams: readonly Upstream[],
  weights: Readonly<Record<string, number>>,
  random: () => number,
): readonly Upstream[] {
  const weightOf = ({ name }: Upstream) => (Object.hasOwn(weights, name) ? (weights[name] ?? 1) : 1)
  return upstreams
    .map((upstream) => ({ upstream, place: -Math.log(1 - random()) / weightOf(upstream) }))
    .sort((a, b) => a.place - b.place)
    .map(({ upstream }) => upstream)
}

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
