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
  return new Clocks(timeouts, expire, isAlive)
}

class Clocks implements Deadlines {
  #held = false
  #begun = false
  /** The clock ran out, and nobody has wound it since. */
  #hasStopped = false
  /** Counts what ends a silence. */
  #heard = 0
  /** When the last event came: the clock is not wound for each of them, but looks at this when it runs out. */
  #since = 0
  readonly #idleMs: number
  readonly #expire: (failure: GatewayError) => void
  #isAlive: (() => Promise<boolean>) | undefined
  readonly #total: NodeJS.Timeout
  #silence: NodeJS.Timeout | undefined

  constructor(
    { totalMs, firstEventMs, idleMs }: Timeouts,
    expire: (failure: GatewayError) => void,
    isAlive: (() => Promise<boolean>) | undefined,
  ) {
    this.#idleMs = idleMs
    this.#expire = expire
    this.#isAlive = isAlive
    this.#total = setTimeout(() => this.#expired('the response was not complete', totalMs), totalMs)
    this.#listen('nothing arrived', firstEventMs)
  }

  progress(): void {
    this.#held = false
    this.#heard += 1
    this.#since = wholeNow()
    if (!this.#begun || this.#hasStopped) this.#listen('nothing more arrived', this.#idleMs)
    this.#begun = true
  }

  hold(): void {
    this.#held = true
    this.#heard += 1
  }

  lastCall(milliseconds: number): void {
    this.#held = false
    this.#heard += 1
    this.#isAlive = undefined
    this.#since = wholeNow()
    this.#listen('the stream did not end', milliseconds)
  }

  clear(): void {
    clearTimeout(this.#total)
    clearTimeout(this.#silence)
    this.#heard += 1
  }

  #expired(what: string, milliseconds: number): void {
    this.#expire(new GatewayError('upstream_timeout', `The model server timed out: ${what} within ${milliseconds} ms.`))
  }

  #listen(what: string, milliseconds: number, restMs = milliseconds): void {
    this.#hasStopped = false
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => void this.#silent(what, milliseconds), restMs)
  }

  async #silent(what: string, milliseconds: number): Promise<void> {
    this.#hasStopped = true
    if (this.#held) return
    const restMs = this.#since + milliseconds - performance.now()
    if (this.#begun && restMs > 0) return this.#listen(what, milliseconds, restMs)
    const before = this.#heard
    const isThere = this.#isAlive !== undefined && (await this.#isAlive())
    // An event, the end or another clock came meanwhile: this silence is over.
    if (before !== this.#heard) return
    if (isThere) this.#listen(what, milliseconds)
    else this.#expired(what, milliseconds)
  }
}

/** In whole milliseconds, which are kept in their place: any other number is an object of its own. */
function wholeNow(): number {
  return Math.ceil(performance.now())
}
