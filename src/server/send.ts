import type { GatewayError } from '../errors.ts'
import { headersOf, type Visit } from './visit.ts'

export function sendJson(visit: Visit, status: number, body: string, headers: Record<string, string> = {}): void {
  if (visit.response.destroyed) return
  visit.response.writeHead(status, {
    ...headersOf(visit),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  visit.response.end(body)
}

/** A failure before the first byte: its status and its body. Once bytes have gone out, only the connection can say it. */
export function sendError(
  visit: Visit,
  error: GatewayError,
  print: (error: GatewayError) => string,
  headers: Record<string, string> = {},
): void {
  visit.error = error
  if (visit.response.headersSent) {
    visit.response.destroy()
    return
  }
  const { code, retryAfterSeconds } = error
  sendJson(visit, error.status, print(error), {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
    ...(code === 'invalid_api_key' && { 'www-authenticate': 'Bearer' }),
    ...headers,
  })
}
