import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../clock.ts'
import type { Door } from '../../doors/door.ts'
import { withHeaders } from '../../doors/serving/headers.ts'
import { type FailureCode, GatewayError } from '../../errors.ts'
import { headersOf, type RequestContext } from '../request-context.ts'
import { sendError } from '../response/send.ts'

/** Those of one connection: the newest one, over or not, and all that are not over. */
interface ConnectionRequests {
  readonly newest: RequestContext | undefined
  readonly underWay: readonly RequestContext[]
}

interface RefusalOptions {
  readonly clock: Clock
  /** `path` is the one of a request that could not be read, as far as it can be told. */
  readonly doorOf: (context: RequestContext | undefined, path?: string) => Door
}

// Imported, all of `node:http` would be read, and with it Node's own `fetch`.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** How long a client may take to read a refusal before its connection is cut. */
const lingerMs = 1000

/** What Node could not read as HTTP, or did not get in time, is answered in our shape all the same, and is the last. */
export function createRefusal({ clock, doorOf }: RefusalOptions) {
  const refused = new WeakSet<Duplex>()

  /** Written past Node's own response, which would close the connection over what still comes, and so lose the answer. */
  function refuse(error: GatewayError, socket: Duplex, context?: RequestContext, path?: string): void {
    const reply = withHeaders(doorOf(context, path).printError(error, context?.requestId ?? ''), error)
    const { status, body, contentType = 'application/json; charset=utf-8' } = reply
    const lines = Object.entries({
      ...(context && headersOf(context)),
      ...reply.headers,
      connection: 'close',
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(body)),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
    socket.resume()
    const cancel = clock.after(lingerMs, () => socket.destroy())
    socket.once('close', cancel)
  }

  /** Answers the newest request, once those before it are answered; the trouble is in its body, or in what came after it. */
  function refuseNewest(
    error: GatewayError,
    socket: Duplex,
    { newest, underWay }: ConnectionRequests,
    path?: string,
  ): void {
    if (refused.has(socket)) return
    refused.add(socket)
    if (newest === undefined) refuse(error, socket, undefined, path)
    else if (newest.request.complete) afterwards(newest, () => refuse(error, socket, undefined, path))
    else if (newest.response.headersSent) afterwards(newest, () => void socket.destroy())
    else if (underWay.some((context) => context !== newest))
      sendError(newest, error, doorOf(newest), { connection: 'close' })
    else {
      newest.error = error
      newest.refused = true
      newest.abort.abort(error)
      newest.request.resume()
      refuse(error, socket, newest)
    }
  }

  function refuseUnreadable(cause: NodeJS.ErrnoException, socket: Duplex, requests: ConnectionRequests): void {
    // A client that has gone, or that ends in the middle of its body, waits for nothing.
    const isGone = cause.code === 'ECONNRESET' || cause.code === 'HPE_INVALID_EOF_STATE'
    if (!refused.has(socket) && (isGone || !socket.writable)) socket.destroy()
    else refuseNewest(toFailure(cause), socket, requests, pathIn(cause))
  }

  return { refuse, refuseNewest, refuseUnreadable }
}

/** The path of what could not be read, where at least its first line could. */
function pathIn(cause: NodeJS.ErrnoException): string | undefined {
  const { rawPacket } = cause as { readonly rawPacket?: Buffer }
  return /^[A-Z]+ ([^\s?]+)/.exec(rawPacket?.subarray(0, 512).toString('latin1') ?? '')?.[1]
}

/** An answer that is under way must not get ours into its middle. */
function afterwards({ response }: RequestContext, run: () => void): void {
  if (response.closed || response.writableFinished) run()
  else response.once('close', run)
}

const encodingWords = "Send the request body with 'Transfer-Encoding: chunked', or with a Content-Length."
const lengthWords = "The Content-Length of this request is not one number, or it comes with a 'Transfer-Encoding'."

/** What is wrong with how a body is wrapped, where Node lets it pass: codings other than chunks, which are not undone. */
export function checkFraming({ headers }: IncomingMessage): GatewayError | undefined {
  const encoding = headers['transfer-encoding']
  if (encoding === undefined || encoding.trim().toLowerCase() === 'chunked') return undefined
  return new GatewayError('invalid_request', encodingWords)
}

const reasons: Readonly<Record<string, readonly [code: FailureCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of this request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_too_slow', 'The request took too long to arrive. Send it again.'],
  HPE_INVALID_CHUNK_SIZE: ['invalid_request', 'The chunked request body is malformed.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['invalid_request', 'The chunk extensions of the request body are too large.'],
  HPE_STRICT: ['invalid_request', 'The chunked request body is malformed.'],
  HPE_INVALID_TRANSFER_ENCODING: ['invalid_request', encodingWords],
  HPE_INVALID_CONTENT_LENGTH: ['invalid_request', lengthWords],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['invalid_request', lengthWords],
}

function toFailure(cause: NodeJS.ErrnoException): GatewayError {
  const [code, message] = reasons[cause.code ?? ''] ?? ['invalid_request', 'This is not a valid HTTP request.']
  return new GatewayError(code, message, { cause })
}
