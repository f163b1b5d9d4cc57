import type { Door, Reply } from '../../doors/door.ts'
import { withHeaders } from '../../doors/serving/headers.ts'
import type { GatewayError } from '../../errors.ts'
import { headersOf, type RequestContext } from '../request-context.ts'

const json = 'application/json; charset=utf-8'

export function send(context: RequestContext, { status, body, contentType = json, headers }: Reply): void {
  if (context.response.destroyed) return
  context.response.writeHead(status, {
    ...headersOf(context),
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  context.recording?.answer(contentType)
  context.recording?.write(body)
  context.response.end(body)
}

/** A failure before the first byte: its status and its body. Once bytes have gone out, only the connection can say it. */
export function sendError(
  context: RequestContext,
  error: GatewayError,
  door: Door,
  headers: Record<string, string> = {},
): void {
  context.error = error
  if (context.response.headersSent) {
    context.response.destroy()
    return
  }
  send(context, withHeaders(door.printError(error, context.requestId), error, headers))
}
