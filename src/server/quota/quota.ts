/** How much one key may do; what is absent is not limited. */
export interface Allowance {
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
  readonly parallel?: number | undefined
}

/** One limit, and how much of it is left. */
interface Meter {
  readonly limit: number
  readonly remaining: number
  /** Until all of it is there again. */
  readonly resetMs: number
}

/** How a key stands. */
export interface Standing {
  readonly requests?: Meter
  readonly tokens?: Meter
}

export type Measure = 'requests' | 'tokens' | 'parallel'

export type Admission =
  | { readonly lease: Lease; readonly standing: Standing }
  | {
      readonly lease?: undefined
      readonly standing: Standing
      /** The limit that was reached. */
      readonly measure: Measure
      /** When it is worth asking again. */
      readonly waitMs: number
    }

/** A request that was let in. */
export interface Lease {
  /** It is over. `tokens` are those it really took; without them, what was asked for stays counted. */
  release(tokens?: number): void
}

/**
 * Counts what each key does. In any 60 seconds no more is let in than its allowance; what was refused does not count. To
 * keep the count small it is kept by the second, so that a request is forgotten up to a second late, never early.
 */
export interface Quotas {
  /** `tokens` are taken at once, as it is known only afterwards how many there were. */
  admit(key: string, allowance: Allowance, tokens: number): Promise<Admission>
  close(): Promise<void>
}

/** How a key stands, in the headers that OpenAI's clients know. */
export function toHeaders(standing: Standing | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const what of ['requests', 'tokens'] as const) {
    const meter = standing?.[what]
    if (meter === undefined) continue
    headers[`x-ratelimit-limit-${what}`] = String(meter.limit)
    headers[`x-ratelimit-remaining-${what}`] = String(meter.remaining)
    headers[`x-ratelimit-reset-${what}`] = printSpan(meter.resetMs)
  }
  return headers
}

/** `120ms`, `8.5s`, `1m0s`: as OpenAI writes them. */
export function printSpan(ms: number): string {
  if (ms < 1000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(3))}s`
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

/** What was counted in each second, as far as it still counts; the seconds in order. */
export type Slots = readonly (readonly [second: number, count: number])[]

/** A second counts until the last moment of it is a minute ago. */
export const secondsKept = 61

/** All that is known of a key at one moment. */
export interface Tally {
  readonly nowMs: number
  readonly requests: Slots
  readonly tokens: Slots
  readonly active: number
}

const sum = (slots: Slots): number => slots.reduce((total, [, count]) => total + count, 0)

/** What is asked of a limit at most: a request larger than it may come when nothing else was counted. */
export function tokensAsked(tokens: number, { tokensPerMinute = Number.POSITIVE_INFINITY }: Allowance): number {
  return Math.min(Math.max(0, Math.ceil(tokens)), tokensPerMinute)
}

/** The limit a request would break; undefined when it may come in. */
export function findBroken(tally: Tally, allowance: Allowance, tokens: number): Measure | undefined {
  const { requestsPerMinute, tokensPerMinute, parallel } = allowance
  if (requestsPerMinute !== undefined && sum(tally.requests) + 1 > requestsPerMinute) return 'requests'
  if (tokensPerMinute !== undefined && isFull(sum(tally.tokens), tokens, tokensPerMinute)) return 'tokens'
  if (parallel !== undefined && tally.active >= parallel) return 'parallel'
  return undefined
}

/** An answer may have taken more than was asked for: then even a request for nothing has to wait. */
const isFull = (used: number, tokens: number, limit: number): boolean => used + tokens > limit || used >= limit

export function standingOf({ nowMs, requests, tokens }: Tally, allowance: Allowance): Standing {
  const meter = (slots: Slots, limit: number) => ({
    limit,
    remaining: Math.max(0, limit - sum(slots)),
    resetMs: Math.max(0, endOf(slots.at(-1)?.[0], nowMs) - nowMs),
  })
  const { requestsPerMinute, tokensPerMinute } = allowance
  return {
    ...(requestsPerMinute !== undefined && { requests: meter(requests, requestsPerMinute) }),
    ...(tokensPerMinute !== undefined && { tokens: meter(tokens, tokensPerMinute) }),
  }
}

const endOf = (second: number | undefined, otherwise: number): number =>
  second === undefined ? otherwise : (second + secondsKept) * 1000

/** When an answer under way will end is not known. */
const parallelWaitMs = 1000

/** How long until the limit that was reached would let the request in, if nothing else came. */
export function waitFor(
  measure: Measure,
  { nowMs, requests, tokens }: Tally,
  allowance: Allowance,
  asked: number,
): number {
  if (measure === 'parallel') return parallelWaitMs
  const [slots, limit, wanted] =
    measure === 'requests'
      ? [requests, allowance.requestsPerMinute ?? 0, 1]
      : [tokens, allowance.tokensPerMinute ?? 0, asked]
  let used = sum(slots)
  for (const [second, count] of slots) {
    used -= count
    if (!isFull(used, wanted, limit)) return Math.max(1, endOf(second, nowMs) - nowMs)
  }
  return secondsKept * 1000
}
