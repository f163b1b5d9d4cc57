import type { Exchange, ExchangeHead, ExchangeRequest, Pool } from './exchange.ts'

/** What sends a request: the `fetch` of any runtime. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Connections made by `fetch`: for runtimes without sockets, and for those who bring a `fetch` of their own. */
export function createFetchPool(url: URL, send: Fetch = (address, init) => fetch(address, init)): Pool {
  return {
    open: (request, signal) => openFetch(url.origin + request.path, request, signal, send),
    destroy: async () => undefined,
  }
}

function openFetch(address: string, request: ExchangeRequest, signal: AbortSignal, send: Fetch): Exchange {
  const { method, headers, body } = request
  const controller = new AbortController()
  let failure: { readonly reason: unknown } | undefined
  let isOver = false

  function abort(reason: unknown): void {
    if (isOver || failure !== undefined) return
    failure = { reason }
    signal.removeEventListener('abort', onAbort)
    controller.abort(reason)
  }
  const onAbort = (): void => abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  /** What was the reason to stop counts more than how the runtime calls it. */
  async function orFailure<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise
    } catch (thrown) {
      failure ??= { reason: toError(thrown) }
      throw failure.reason
    }
  }

  async function readHead(): Promise<ExchangeHead> {
    if (failure !== undefined) throw failure.reason
    const { status, headers: received } = await response
    return { status, headers: Object.fromEntries(received) }
  }

  async function read(): Promise<Uint8Array | undefined> {
    if (failure !== undefined) throw failure.reason
    const { body: stream } = await response
    if (stream === null) return undefined
    reader ??= stream.getReader() as ReadableStreamDefaultReader<Uint8Array>
    const { done, value } = await orFailure(reader.read())
    if (!done) return value
    isOver = true
    signal.removeEventListener('abort', onAbort)
    return undefined
  }

  const init: RequestInit = {
    method,
    headers,
    redirect: 'manual',
    signal: controller.signal,
    ...(body !== undefined && { body }),
  }
  const response = orFailure((async () => await send(address, init))())
  // Whoever asks for the head is told.
  response.catch(() => undefined)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  return {
    begin: (hear, lose) => void readHead().then(hear, lose),
    pull: (taker) =>
      void read().then(
        (bytes) => taker.take(bytes),
        (thrown: unknown) => taker.lose(thrown),
      ),
    abort,
    release() {
      signal.removeEventListener('abort', onAbort)
      if (!isOver && failure === undefined) void reader?.cancel().catch(() => undefined)
      isOver = true
    },
  }
}

/** Runtimes hide why a connection failed in the cause: `fetch failed`. */
function toError(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError) || !(thrown.cause instanceof Error)) return thrown
  return thrown.cause
}
