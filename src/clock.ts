/** Time, handed in so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs once after a while; gives back how to call it off. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
