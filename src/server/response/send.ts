import type { Door, Reply } from '../../doors/door.ts'
import { withHeaders } from '../../doors/serving/headers.ts'
import type { GatewayError } from '../../errors.ts'
import { headersOf, type Visit } from '../visit.ts'

const json = 'application/json; charset=utf-8'

export function send(visit: Visit, { status, body, contentType = json, headers }: Reply): void {
  if (visit.response.destroyed) return
  visit.response.writeHead(status, {
    ...headersOf(visit),
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  visit.recording?.answer(contentType)
  visit.recording?.write(body)
  visit.response.end(body)
}

/** A failure before the first byte: its status and its body. Once bytes have gone out, only the connection can say it. */
export function sendError(visit: Visit, error: GatewayError, door: Door, headers: Record<string, string> = {}): void {
  visit.error = error
  if (visit.response.headersSent) {
    visit.response.destroy()
    return
  }
  send(visit, withHeaders(door.printError(error, visit.requestId), error, headers))
}
