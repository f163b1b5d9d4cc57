import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { buildConnector, Pool as Connections } from 'undici'
import type { Timeouts } from './deadlines.ts'
import { openExchange, type Pool } from './exchange.ts'

/**
 * The connections to one service. Unbounded here: a limit with a queue belongs where it can be seen. HTTP/1.1 only: there,
 * to cancel is to hang up.
 */
export function createPool(url: URL, { connectMs }: Timeouts): Pool {
  const connect = buildConnector({ timeout: connectMs, allowH2: false })
  const pool = new Connections(url.origin, {
    allowH2: false,
    connect: (options, callback) =>
      connect(options, (...[error, socket]: [Error, null] | [null, Socket | TLSSocket]) =>
        error === null ? callback(null, withoutInterim(socket)) : callback(error, null),
      ),
  })
  return { open: (request, signal) => openExchange(pool, request, signal), destroy: () => pool.destroy() }
}

const interim = /^HTTP\/1\.[01] 1(?!01)\d\d(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n/
const beginning = Buffer.from('HTTP/1.1 1')
const maxHeld = 16 * 1024

/**
 * Some servers say "100 Continue" before an answer, asked or not. undici takes that for an offence and hangs up, so it does
 * not get to see it, nor anything else of that kind. Bytes are looked at only until an answer has begun.
 */
function withoutInterim<T extends Socket>(socket: T): T {
  const push = socket.push.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  let isAwaited = false
  let held: Buffer | undefined

  function look(chunk: Buffer): Buffer | undefined {
    let bytes = held === undefined ? chunk : Buffer.concat([held, chunk])
    held = undefined
    for (;;) {
      const text = startsAlike(bytes) ? bytes.toString('latin1') : undefined
      const found = text === undefined ? null : interim.exec(text)
      if (found === null && (text === undefined || text.includes('\r\n\r\n') || text.length > maxHeld)) {
        isAwaited = false
        return bytes
      }
      if (found === null) {
        held = bytes
        return undefined
      }
      bytes = bytes.subarray(found[0].length)
    }
  }

  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && held !== undefined) {
      push(held)
      held = undefined
    }
    if (!isAwaited || !Buffer.isBuffer(chunk)) return push(chunk, encoding)
    const passed = look(chunk)
    return passed === undefined || passed.length === 0 ? true : push(passed)
  }
  socket.write = ((...args: unknown[]) => {
    // The head of a request: its answer is yet to begin.
    if (typeof args[0] === 'string' && /^(?:GET|POST) /.test(args[0])) isAwaited = true
    return write(...args)
  }) as T['write']
  return socket
}

/** Whether these bytes could still turn out to be such an answer. */
function startsAlike(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, beginning.length)
  // The figure after the dot may be either.
  return beginning.subarray(0, length).every((byte, at) => at === 7 || byte === bytes[at])
}
