import { GatewayError } from '../../errors.ts'

export interface Timeouts {
  readonly connectMs: number
  /** From sending the request to the first event of the answer: covers the model's reading of the prompt. */
  readonly firstEventMs: number
  /** Between two events. Comments that keep the connection alive are not events. */
  readonly idleMs: number
  readonly totalMs: number
}

/** The clocks of one answer. They count progress, not bytes: comments keep a connection alive that is dead. */
export interface Deadlines {
  /** An event came; from now on the idle clock runs, from zero. */
  progress(): void
  /** The consumer is busy with what it got: the silence until the next `progress` is not the upstream's. */
  hold(): void
  /** The answer is known to be whole: the end of the stream is awaited only this long. */
  lastCall(milliseconds: number): void
  clear(): void
}

/**
 * `isAlive` is asked when a service has been silent for too long, where silence is a way it works: as long as it says so,
 * only the total counts.
 */
export function createDeadlines(
  timeouts: Timeouts,
  expire: (failure: GatewayError) => void,
  isAlive?: () => Promise<boolean>,
): Deadlines {
  let held = false
  let begun = false
  let asking = isAlive
  /** Counts what ends a silence. */
  let heard = 0
  /** When the last event came: the clock is not wound for each of them, but looks at this when it runs out. */
  let since = 0
  /** The clock ran out, and nobody has wound it since. */
  let hasStopped = false

  function expired(what: string, milliseconds: number): void {
    expire(new GatewayError('upstream_timeout', `The model server timed out: ${what} within ${milliseconds} ms.`))
  }

  async function silent(what: string, milliseconds: number): Promise<void> {
    hasStopped = true
    if (held) return
    const restMs = since + milliseconds - performance.now()
    if (begun && restMs > 0) return listen(what, milliseconds, restMs)
    const before = heard
    const isThere = asking !== undefined && (await asking())
    // An event, the end or another clock came meanwhile: this silence is over.
    if (before !== heard) return
    if (isThere) listen(what, milliseconds)
    else expired(what, milliseconds)
  }

  function listen(what: string, milliseconds: number, restMs = milliseconds): void {
    hasStopped = false
    clearTimeout(silence)
    silence = setTimeout(silent, restMs, what, milliseconds)
  }

  const total = setTimeout(expired, timeouts.totalMs, 'the response was not complete', timeouts.totalMs)
  let silence = setTimeout(silent, timeouts.firstEventMs, 'nothing arrived', timeouts.firstEventMs)

  return {
    progress() {
      held = false
      heard += 1
      since = performance.now()
      if (!begun || hasStopped) listen('nothing more arrived', timeouts.idleMs)
      begun = true
    },
    hold() {
      held = true
      heard += 1
    },
    lastCall(milliseconds) {
      held = false
      heard += 1
      asking = undefined
      since = performance.now()
      listen('the stream did not end', milliseconds)
    },
    clear() {
      clearTimeout(total)
      clearTimeout(silence)
      heard += 1
    },
  }
}
