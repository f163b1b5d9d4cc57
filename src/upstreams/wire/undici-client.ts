import { getCACertificates } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'
import type { ConnectionSettings } from '../connection.ts'
import { isHangUp } from './failures.ts'
import type { HttpClient, HttpRequest, HttpResponse } from './http.ts'

/** How much may wait unread before the socket is paused. */
const MAX_UNREAD_BYTES = 256 * 1024
/** How long the rest of an answer that is read no further may take, for its connection to be used again. */
const DRAIN_MS = 250
const MAX_KEPT_MS = 600_000

interface ClientSettings extends ConnectionSettings {
  readonly connectMs: number
}

/** Requests over kept connections, by undici. HTTP/1.1 only: there, to cancel is to hang up. */
export function createHttpClient({ origin, hostname }: URL, settings: ClientSettings): HttpClient {
  const dispatcher = createDispatcher(hostname, settings)
  return {
    async send(request, signal) {
      try {
        return await dispatch(dispatcher, origin, request, signal)
      } catch (thrown) {
        // A kept connection that the service has closed meanwhile.
        if (signal.aborted || !wasStale(thrown)) throw thrown
        return await dispatch(dispatcher, origin, request, signal)
      }
    },
    close: () => dispatcher.destroy(new Error('The connections to the model server are closed.')),
  }
}

/** Without a `proxy`, the environment says which to go through, except to this machine itself. */
function createDispatcher(hostname: string, { connectMs, proxy, ca }: ClientSettings): Dispatcher {
  const tls = { timeout: connectMs, allowH2: false, ...(ca !== undefined && { ca: [...getCACertificates(), ca] }) }
  const options = { allowH2: false, keepAliveMaxTimeout: MAX_KEPT_MS, connect: createConnector(tls) }
  const proxied = { ...options, connectTimeout: connectMs, requestTls: tls }
  if (proxy !== undefined) return new ProxyAgent({ ...proxied, uri: proxy })
  return isThisMachine(hostname) ? new Agent(options) : new EnvHttpProxyAgent(proxied)
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname)
}

/** Connections whose errors tell how much was read before them. */
function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...connected) => {
      const [, socket] = connected
      socket?.once('error', (error: object) => Object.assign(error, { socket: { bytesRead: socket.bytesRead } }))
      callback(...connected)
    })
}

/** Whether a connection ended that had answered before. */
function wasStale(thrown: unknown): boolean {
  const { socket } = thrown as { readonly socket?: { readonly bytesRead?: number } }
  return isHangUp(thrown) && (socket?.bytesRead ?? 0) > 0
}

function dispatch(
  dispatcher: Dispatcher,
  origin: string,
  { method, path, headers, body = '' }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let controller: Dispatcher.DispatchController | undefined
    const incoming = createIncoming(() => controller)
    const fail = (reason: unknown): void => {
      signal.removeEventListener('abort', abort)
      incoming.end({ reason })
      reject(reason)
    }
    const abort = (): void => {
      incoming.drop()
      fail(signal.reason)
      controller?.abort(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    const request = { origin, method, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started
        if (signal.aborted) started.abort(signal.reason)
      },
      onResponseStart(_, status, received) {
        if (status >= 200) resolve({ status, headers: received, body: incoming.read() })
      },
      onResponseData: (_, bytes) => incoming.push(bytes),
      onResponseEnd() {
        signal.removeEventListener('abort', abort)
        incoming.end()
      },
      onResponseError: (_, error) => fail(error),
    })
  })
}

/** A body as it arrives. Chunks of one read of the socket come in one turn, so that they are one item. */
function createIncoming(controllerOf: () => Dispatcher.DispatchController | undefined) {
  let unread: Uint8Array[] = []
  let unreadBytes = 0
  let isLeft = false
  let isEnded = false
  let failure: { readonly reason: unknown } | undefined
  let wake: (() => void) | undefined

  function drop(): void {
    unread = []
  }

  /** Not read further: the connection can be used again if the rest comes soon. */
  function leave(): void {
    isLeft = true
    drop()
    if (isEnded) return
    const controller = controllerOf()
    controller?.resume()
    const timer = setTimeout(() => controller?.abort(new Error('left')), DRAIN_MS).unref()
    wake = () => clearTimeout(timer)
  }

  return {
    push(bytes: Uint8Array): void {
      if (isLeft) return
      unread.push(bytes)
      unreadBytes += bytes.byteLength
      if (unreadBytes > MAX_UNREAD_BYTES) controllerOf()?.pause()
      wake?.()
    },
    drop,
    end(reason?: typeof failure): void {
      isEnded = true
      failure ??= reason
      wake?.()
    },
    async *read(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          while (unread.length === 0 && !isEnded)
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          wake = undefined
          const [first, ...more] = unread
          if (first === undefined) break
          unread = []
          unreadBytes = 0
          controllerOf()?.resume()
          yield more.length === 0 ? first : Buffer.concat([first, ...more])
        }
        if (failure !== undefined) throw failure.reason
      } finally {
        leave()
      }
    },
  }
}
