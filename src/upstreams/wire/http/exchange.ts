import type { Taker } from '../../../protocol/flow.ts'
import type { Exchange, ExchangeHead, ExchangeRequest } from '../exchange.ts'
import type { Asker, Connection } from './connection.ts'

/** How much may wait unread before the socket is paused. */
const MAX_UNREAD_BYTES = 256 * 1024

/** How long a finished answer's connection may take to end by itself and be used again, before it is closed. */
const RELEASE_MS = 250

/** Gives the connection for a request; a fresh one where an old one has failed. */
export type Connect = (isFresh: boolean) => Connection

/** One request over a connection of its own. */
export class HttpExchange implements Exchange, Asker {
  readonly #connect: Connect
  readonly #signal: AbortSignal
  readonly #onAbort = (): void => this.abort(this.#signal.reason)
  /** What may have to be sent once more, and not longer than that: it may be large, and the answer to it slow. */
  #repeatable: ExchangeRequest | undefined
  #connection: Connection | undefined
  #unread: Buffer[] = []
  #unreadBytes = 0
  #head: ExchangeHead | undefined
  #hear: ((head: ExchangeHead) => void) | undefined
  /** Is told if there is no head. */
  #miss: ((thrown: unknown) => void) | undefined
  #taker: Taker<Uint8Array> | undefined
  #isEnded = false
  #isReleased = false
  #failure: { readonly reason: unknown } | undefined
  #farewell: NodeJS.Timeout | undefined

  constructor(request: ExchangeRequest, signal: AbortSignal, connect: Connect) {
    this.#connect = connect
    this.#signal = signal
    this.#repeatable = request
    if (signal.aborted) this.#fail(signal.reason)
    else {
      signal.addEventListener('abort', this.#onAbort, { once: true })
      this.#send(request, false)
    }
  }

  get wantsMore(): boolean {
    return this.#unreadBytes <= MAX_UNREAD_BYTES
  }

  begin(hear: (head: ExchangeHead) => void, lose: (thrown: unknown) => void): void {
    if (this.#head !== undefined) return hear(this.#head)
    if (this.#failure !== undefined) return lose(this.#failure.reason)
    this.#hear = hear
    this.#miss = lose
  }

  pull(taker: Taker<Uint8Array>): void {
    if (this.#unreadBytes > 0) return taker.take(this.#takeUnread())
    if (this.#failure !== undefined) return taker.lose(this.#failure.reason)
    if (this.#isEnded) return taker.take(undefined)
    this.#taker = taker
  }

  abort(reason: unknown): void {
    if (this.#isEnded || this.#failure !== undefined) return
    const connection = this.#connection
    this.#dropUnread()
    this.#fail(reason)
    connection?.close()
  }

  release(): void {
    if (this.#isEnded || this.#failure !== undefined) return
    this.#isReleased = true
    this.#dropUnread()
    this.#connection?.goOn()
    this.#farewell = setTimeout(() => this.abort(new Error('released')), RELEASE_MS).unref()
  }

  onHead(head: ExchangeHead): void {
    this.#repeatable = undefined
    this.#head = head
    const hear = this.#hear
    this.#hear = undefined
    this.#miss = undefined
    if (this.#failure === undefined) hear?.(head)
  }

  onBody(bytes: Buffer): void {
    if (this.#isReleased || this.#failure !== undefined) return
    const taker = this.#taker
    if (taker !== undefined) {
      this.#taker = undefined
      return taker.take(bytes)
    }
    this.#unread.push(Buffer.from(bytes))
    this.#unreadBytes += bytes.length
  }

  onEnd(): void {
    if (this.#failure !== undefined) return
    this.#isEnded = true
    this.#leave()
    const taker = this.#taker
    this.#taker = undefined
    taker?.take(undefined)
  }

  onLost(reason: unknown, wasStale: boolean): void {
    const again = this.#repeatable
    this.#repeatable = undefined
    if (this.#failure !== undefined) return
    if (wasStale && again !== undefined) this.#send(again, true)
    else this.#fail(reason)
  }

  #send(request: ExchangeRequest, isFresh: boolean): void {
    try {
      this.#connection = this.#connect(isFresh)
      this.#connection.ask(request, this)
    } catch (thrown) {
      this.#connection?.close()
      this.#fail(thrown)
    }
  }

  #takeUnread(): Buffer {
    const [first = Buffer.alloc(0), ...more] = this.#unread
    this.#dropUnread()
    this.#connection?.goOn()
    return more.length === 0 ? first : Buffer.concat([first, ...more])
  }

  #dropUnread(): void {
    this.#unread = []
    this.#unreadBytes = 0
  }

  #fail(reason: unknown): void {
    this.#failure = { reason }
    this.#leave()
    const taker = this.#taker
    const miss = this.#miss
    this.#taker = undefined
    this.#hear = undefined
    this.#miss = undefined
    // Whoever aborts is not to find himself among those who hear of it.
    if (taker !== undefined) queueMicrotask(() => taker.lose(reason))
    if (miss !== undefined) queueMicrotask(() => miss(reason))
  }

  #leave(): void {
    clearTimeout(this.#farewell)
    this.#repeatable = undefined
    this.#connection = undefined
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}
