import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../errors.ts'
import { toFailure } from './failures.ts'

/** Sends requests to one service. Redirects are not followed and nothing is decompressed. */
export interface HttpClient {
  /** Resolves with the head. Once `signal` aborts, the connection closes and everything rejects with its reason. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>
  close(): Promise<void>
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface HttpHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

export interface HttpResponse extends HttpHead {
  /** One item for each read of the socket. */
  readonly body: AsyncIterable<Uint8Array>
}

const MAX_TEXT_BYTES = 256 * 1024

/** A body as text, cut off after `maxBytes`; the rest is not awaited. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes = MAX_TEXT_BYTES): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, maxBytes - bytes), { stream: true })
    bytes += chunk.byteLength
    if (bytes > maxBytes) return text
  }
  return text + decoder.decode()
}

interface TextRequest {
  readonly upstream: string
  readonly client: HttpClient
  readonly request: HttpRequest
  readonly withinMs: number
  readonly maxBytes?: number
}

/** One small request and its whole answer, whatever its status. */
export async function requestText(
  { upstream, client, request, withinMs, maxBytes }: TextRequest,
  signal: AbortSignal,
): Promise<HttpHead & { readonly text: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  try {
    const { status, headers, body } = await client.send(request, limit)
    return { status, headers, text: await readText(body, maxBytes) }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (limit.aborted) throw new GatewayError('upstream_timeout', `${upstream}: no answer within ${withinMs} ms.`)
    throw toFailure(thrown, upstream, false)
  }
}
