import { GatewayError } from '../../errors.ts'

export interface Timeouts {
  readonly connectMs: number
  /** From sending the request to the first event of the answer: covers the model's reading of the prompt. */
  readonly firstEventMs: number
  /** Between two events. Comments that keep the connection alive are not events. */
  readonly idleMs: number
  readonly totalMs: number
}

/** The clocks of one answer. They count events, not bytes: comments keep a connection alive that is dead. */
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
  { totalMs, firstEventMs, idleMs }: Timeouts,
  expire: (failure: GatewayError) => void,
  isAlive?: () => Promise<boolean>,
): Deadlines {
  const total = setTimeout(() => expired('the response was not complete', totalMs), totalMs)
  let silence: NodeJS.Timeout | undefined
  let hasStopped = false
  let isHeld = false
  let hasBegun = false
  let isLast = false
  /** Counts what ends a silence. */
  let signs = 0
  /** When the last event came: a running timer is not set anew for each, but looks at this when it fires. */
  let since = 0

  function expired(what: string, milliseconds: number): void {
    expire(new GatewayError('upstream_timeout', `The model server timed out: ${what} within ${milliseconds} ms.`))
  }

  function start(what: string, milliseconds: number, restMs = milliseconds): void {
    hasStopped = false
    clearTimeout(silence)
    silence = setTimeout(() => void onSilence(what, milliseconds), restMs)
  }

  async function onSilence(what: string, milliseconds: number): Promise<void> {
    hasStopped = true
    if (isHeld) return
    const restMs = since + milliseconds - performance.now()
    if (hasBegun && restMs > 0) return start(what, milliseconds, Math.ceil(restMs))
    const before = signs
    const isThere = !isLast && isAlive !== undefined && (await isAlive())
    // An event, the end or another clock came meanwhile: this silence is over.
    if (before !== signs) return
    if (isThere) start(what, milliseconds)
    else expired(what, milliseconds)
  }

  start('nothing arrived', firstEventMs)
  return {
    progress() {
      isHeld = false
      signs += 1
      since = performance.now()
      if (!hasBegun || hasStopped) start('nothing more arrived', idleMs)
      hasBegun = true
    },
    hold() {
      isHeld = true
      signs += 1
    },
    lastCall(milliseconds) {
      isHeld = false
      isLast = true
      signs += 1
      since = performance.now()
      start('the stream did not end', milliseconds)
    },
    clear() {
      clearTimeout(total)
      clearTimeout(silence)
      signs += 1
    },
  }
}
