import type { IncomingHttpHeaders } from 'node:http'
import type { Taker } from '../../protocol/flow.ts'

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
}

export interface ExchangeHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/**
 * One HTTP request and its response. Redirects are not followed and nothing is decompressed.
 */
export interface Exchange {
  /** Tells the head once it is there. What came with it can be had at once: first bytes are what everybody waits for. */
  begin(hear: (head: ExchangeHead) => void, lose: (thrown: unknown) => void): void
  /**
   * Asks for what comes next, once: all that one socket read brought, at once where it is there already. The taker
   * must not throw. The bytes are lent: they are overwritten once `take` has returned.
   */
  pull(taker: Taker<Uint8Array>): void
  /** Destroys the socket now. What is unread is lost; pending and later calls fail with `reason`. */
  abort(reason: unknown): void
  /** Nobody reads any further, but the answer was whole: lets the connection end by itself if it does so soon. */
  release(): void
}

/** The connections to one service. */
export interface Pool {
  /** Sends a request. When `signal` aborts, the exchange does, with the signal's reason. */
  open(request: ExchangeRequest, signal: AbortSignal): Exchange
  destroy(): Promise<void>
}

/** The head, for those who are in no hurry. */
export function headOf(exchange: Exchange): Promise<ExchangeHead> {
  return new Promise((resolve, reject) => exchange.begin(resolve, reject))
}

/** The body as text, cut off after `maxBytes`; the rest is not awaited. */
export function readText(exchange: Exchange, maxBytes: number): Promise<{ text: string; whole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  return new Promise((resolve, reject) => {
    const taker: Taker<Uint8Array> = {
      take(chunk) {
        if (chunk === undefined) return resolve({ text: text + decoder.decode(), whole: true })
        text += decoder.decode(chunk.subarray(0, maxBytes - bytes), { stream: true })
        bytes += chunk.byteLength
        if (bytes > maxBytes) resolve({ text, whole: false })
        else exchange.pull(taker)
      },
      lose: reject,
    }
    exchange.pull(taker)
  })
}
