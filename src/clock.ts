/** Time, handed in so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs once after a while; gives back how to call it off. */
  after(ms: number, run: () => void): () => void
}

/** A clock to wait by. */
export interface WaitingClock extends Pick<Clock, 'now'> {
  /** Rejects when the signal aborts first. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock & WaitingClock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }),
}
