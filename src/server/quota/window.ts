import type { Allowance, Measure, Standing } from './quota.ts'

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

/** Nobody knows when an answer under way will end. */
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
