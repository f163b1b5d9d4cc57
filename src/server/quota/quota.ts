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
