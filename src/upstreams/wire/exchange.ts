import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

/** How much may wait unread before the socket is paused. */
const MAX_UNREAD_BYTES = 256 * 1024

/** How long a finished answer's connection may take to end by itself and be used again, before it is closed. */
const RELEASE_MS = 250

const settled = Promise.resolve()

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
  head(): Promise<ExchangeHead>
  /** What has arrived since the last call, or `undefined` at the end. All HTTP chunks of one socket read come together. */
  read(): Promise<readonly Uint8Array[] | undefined>
  /** Destroys the socket now. What is unread is lost; pending and later calls reject with `reason`. */
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

/** Sends a request on undici's callback level: half the CPU of its `request` and a piped body. */
export function openExchange(dispatcher: Dispatcher, request: ExchangeRequest, signal: AbortSignal): Exchange {
  let controller: Dispatcher.DispatchController | undefined
  /** What may have to be sent once more, and not longer than that: it may be large, and the answer to it slow. */
  let repeatable: ExchangeRequest | undefined = request
  let head: ExchangeHead | undefined
  let unread: Uint8Array[] = []
  let unreadBytes = 0
  let ended = false
  let released = false
  let failure: { readonly reason: unknown } | undefined
  let wake: (() => void) | undefined
  let reading: PromiseWithResolvers<readonly Uint8Array[] | undefined> | undefined
  let isDue = false
  let farewell: NodeJS.Timeout | undefined

  // Promise callbacks run once undici has handed over everything of the current socket read, so that one of them finds all
  // its chunks.
  function changed(): void {
    wake?.()
    wake = undefined
    if (reading === undefined || isDue) return
    isDue = true
    settled.then(deliver)
  }

  function deliver(): void {
    isDue = false
    if (reading === undefined || !isReadable()) return
    const { resolve, reject } = reading
    reading = undefined
    if (unread.length > 0) resolve(take())
    else if (failure) reject(failure.reason)
    else resolve(undefined)
  }

  function isReadable(): boolean {
    return unread.length > 0 || failure !== undefined || ended
  }

  function take(): readonly Uint8Array[] {
    const chunks = unread
    unread = []
    unreadBytes = 0
    if (controller?.paused) controller.resume()
    return chunks
  }

  function settle(): void {
    clearTimeout(farewell)
    signal.removeEventListener('abort', onAbort)
    changed()
  }

  function abort(reason: unknown): void {
    if (ended || failure) return
    failure = { reason }
    unread = []
    unreadBytes = 0
    controller?.abort(reason instanceof Error ? reason : new Error('aborted', { cause: reason }))
    settle()
  }

  function onAbort(): void {
    abort(signal.reason)
  }

  const callbacks: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      // Aborted while it waited for a connection: the request must not be sent any more.
      if (failure) started.abort(new Error('aborted'))
    },
    onResponseStart(_, status, headers) {
      if (status < 200) return
      head = { status, headers }
      repeatable = undefined
      changed()
    },
    onResponseData(current, chunk) {
      if (released) return
      unread.push(chunk)
      unreadBytes += chunk.byteLength
      if (unreadBytes > MAX_UNREAD_BYTES) current.pause()
      changed()
    },
    onResponseEnd() {
      ended = true
      settle()
    },
    onResponseError(_, error) {
      const again = repeatable
      repeatable = undefined
      if (again && !failure && wasOld(error)) {
        send(again)
        return
      }
      failure ??= { reason: error }
      settle()
    },
  }

  function send(sent: ExchangeRequest): void {
    dispatcher.dispatch({ ...sent, body: sent.body ?? null, headersTimeout: 0, bodyTimeout: 0 }, callbacks)
  }

  if (signal.aborted) {
    failure = { reason: signal.reason }
  } else {
    signal.addEventListener('abort', onAbort, { once: true })
    send(request)
  }

  return {
    async head() {
      while (!head) {
        if (failure) throw failure.reason
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return head
    },
    // Not an async function: every read of an answer goes through it.
    read() {
      reading = Promise.withResolvers()
      const { promise } = reading
      if (!isDue) deliver()
      return promise
    },
    abort,
    release() {
      if (ended || failure) return
      released = true
      unread = []
      controller?.resume()
      farewell = setTimeout(() => abort(new Error('released')), RELEASE_MS).unref()
    },
  }
}

/**
 * Whether a request failed only because the other side had just closed a connection that was used before: it did not read
 * the request then, and a new connection will do. llama.cpp closes them every so often.
 */
function wasOld(error: Error): boolean {
  const { socket } = error as Error & { readonly socket?: { readonly bytesRead?: number } }
  return 'code' in error && error.code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0
}

/** The body as text, cut off after `maxBytes`; the rest is not awaited. */
export async function readText(exchange: Exchange, maxBytes: number): Promise<{ text: string; whole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunks = await exchange.read(); chunks; chunks = await exchange.read()) {
    for (const chunk of chunks) {
      text += decoder.decode(chunk.subarray(0, maxBytes - bytes), { stream: true })
      bytes += chunk.byteLength
      if (bytes > maxBytes) return { text, whole: false }
    }
  }
  return { text: text + decoder.decode(), whole: true }
}
