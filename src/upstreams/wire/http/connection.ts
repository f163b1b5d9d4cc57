import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSafely } from 'node:tls'
import type { ExchangeRequest } from '../exchange.ts'
import { ConnectionLost } from './fault.ts'
import { printFields } from './fields.ts'
import { type Listener, ResponseReader } from './response.ts'

/** Where a service is. */
export interface Address {
  readonly isSecure: boolean
  readonly hostname: string
  readonly port: number
  /** As the service is called in a request. */
  readonly host: string
}

export function addressOf(url: URL): Address {
  const isSecure = url.protocol === 'https:'
  return {
    isSecure,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    host: url.host,
  }
}

/** Is told what becomes of a request. */
export interface Asker extends Listener {
  /** Whether the next read is wanted. */
  readonly wantsMore: boolean
  onLost(reason: unknown, wasStale: boolean): void
}

/**
 * What a connection reads stands here until it is read next time. One for all of them: whoever is told of a read has
 * finished with it when he returns.
 */
const shared = Buffer.allocUnsafeSlow(64 * 1024)

/** A connection that stays open for nothing is asked whether it lives. */
const KEEP_ALIVE_MS = 60_000

/**
 * A connection to a service, for one request after another. Node hands over the bytes where it has read them (`onread`),
 * without its streams, their buffers and their ticks (`bench/gateway`: one event a read).
 */
export class Connection {
  readonly #socket: Socket
  readonly #address: Address
  readonly #onIdle: (connection: Connection, keptMs: number | undefined) => void
  readonly #onClosed: (connection: Connection) => void
  #asker: Asker | undefined
  #response: ResponseReader | undefined
  #connecting: NodeJS.Timeout | undefined
  /** What waits for the connection. */
  #unsent: { readonly head: string; readonly body: string | Uint8Array } | undefined
  #failure: unknown
  #answered = 0
  #isPaused = false
  #isClosed = false

  constructor(
    address: Address,
    connectMs: number,
    onIdle: (connection: Connection, keptMs: number | undefined) => void,
    onClosed: (connection: Connection) => void,
  ) {
    this.#address = address
    this.#onIdle = onIdle
    this.#onClosed = onClosed
    const options = {
      host: address.hostname,
      port: address.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
      onread: { buffer: shared, callback: (length: number) => this.#hear(length) },
    }
    const socket = address.isSecure
      ? connectSafely({
          ...options,
          ALPNProtocols: ['http/1.1'],
          ...(isIP(address.hostname) === 0 && { servername: address.hostname }),
        })
      : connect(options)
    this.#socket = socket
    this.#connecting = setTimeout(() => {
      this.close(new ConnectionLost('CONNECT_TIMEOUT', `no connection to ${address.host} within ${connectMs} ms`))
    }, connectMs)
    // Not before: a handshake that fails would be told as a write that failed.
    socket.once(address.isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(this.#connecting)
      this.#connecting = undefined
      const unsent = this.#unsent
      this.#unsent = undefined
      if (unsent !== undefined) this.#write(unsent.head, unsent.body)
    })
    socket.once('end', () => this.#hearEnd())
    socket.on('error', (error) => {
      this.#failure ??= error
    })
    socket.once('close', () => this.#lose())
  }

  get isClosed(): boolean {
    return this.#isClosed || this.#socket.destroyed
  }

  ask(request: ExchangeRequest, asker: Asker): void {
    const { method, path, headers, body = '' } = request
    const head = printHead(method, path, this.#address.host, headers, body)
    this.#asker = asker
    this.#response = new ResponseReader(asker)
    if (this.#answered > 0) this.#socket.ref()
    if (this.#connecting === undefined) this.#write(head, body)
    else this.#unsent = { head, body }
  }

  #write(head: string, body: string | Uint8Array): void {
    const socket = this.#socket
    socket.cork()
    socket.write(head, 'latin1')
    if (body.length > 0) socket.write(body)
    socket.uncork()
  }

  /** The asker has room again. */
  goOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.resume()
  }

  close(reason?: unknown): void {
    this.#failure ??= reason
    this.#socket.destroy()
  }

  #hear(length: number): boolean {
    const response = this.#response
    const asker = this.#asker
    // Nobody asked anything: what comes now could be taken for the answer to the next.
    if (response === undefined || asker === undefined) {
      this.close()
      return false
    }
    try {
      response.push(shared, length)
    } catch (thrown) {
      this.close(thrown)
      return false
    }
    if (response.isOver) this.#finish(response)
    else this.#isPaused = !asker.wantsMore
    return !this.#isPaused
  }

  #hearEnd(): void {
    const response = this.#response
    this.#isClosed = true
    if (response === undefined) return
    try {
      response.close()
      this.#finish(response)
    } catch (thrown) {
      this.close(thrown)
    }
  }

  #finish(response: ResponseReader): void {
    this.#asker = undefined
    this.#response = undefined
    this.#answered += 1
    // A request that was answered before it was sent would go on in the middle of the next.
    if (!response.isKept || this.#socket.writableLength > 0 || this.#socket.destroyed) return this.close()
    this.#socket.unref()
    this.#onIdle(this, response.keptMs)
  }

  #lose(): void {
    clearTimeout(this.#connecting)
    this.#isClosed = true
    this.#onClosed(this)
    const asker = this.#asker
    if (asker === undefined) return
    const hasBegun = this.#response?.hasBegun === true
    this.#asker = undefined
    this.#response = undefined
    this.#unsent = undefined
    const reason = this.#failure ?? new ConnectionLost('CONNECTION_CLOSED', 'the model server hung up')
    asker.onLost(reason, this.#answered > 0 && !hasBegun && isHangUp(reason))
  }
}

/** The other side has gone, rather than that it said something odd or nothing in time. */
function isHangUp(reason: unknown): boolean {
  const code = reason instanceof Error && 'code' in reason ? reason.code : undefined
  return code === 'CONNECTION_CLOSED' || code === 'ECONNRESET' || code === 'EPIPE'
}

function printHead(
  method: string,
  path: string,
  host: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): string {
  if (!/^\/[\x21-\x7e]*$/.test(path)) throw new Error(`The path ${JSON.stringify(path)} is not valid.`)
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${printFields(headers)}${length}\r\n`
}
