import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'
import { isDeeperThan } from '../protocol/json.ts'

const jsonType = /^application\/json *(?:;[^,]*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/** A client writes first and listens then: of a body that is too large this much more is read, so that it gets its answer. */
const mostDrainedBytes = 64 << 20

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = (): GatewayError =>
    new GatewayError(
      'body_too_large',
      "The request body is larger than this gateway takes: see 'limits.body' in its config.",
    )
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit + mostDrainedBytes) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    const isTooLarge = (): boolean => size > limit || announced > limit
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (!isTooLarge()) chunks.push(chunk)
      else chunks = []
      if (size > limit + mostDrainedBytes) reject(tooLarge())
    })
    request.once('end', () => {
      if (isTooLarge()) reject(tooLarge())
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    request.once('error', (cause) =>
      reject(new GatewayError('invalid_request', 'The request body was cut off.', { cause })),
    )
  })
}

/**
 * Strict, because other types are what a web page may send without asking the browser for leave. A body without any type is
 * taken from whoever is no browser: those name the page.
 */
function isJsonType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']
  if (type === undefined) return headers.origin === undefined && headers['sec-fetch-site'] === undefined
  return jsonType.test(type)
}

export interface BodyLimits {
  readonly bodyBytes: number
  /** How deep its JSON may be nested. */
  readonly depth: number
}

/** The JSON of a request body: within the limit, not encoded, UTF-8, and no deeper than anything after it can bear. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new GatewayError(
      'unsupported_media_type',
      'Encoded request bodies are not taken. Send the JSON as it is, without Content-Encoding.',
    )
  }
  if (!isJsonType(request)) {
    throw new GatewayError('unsupported_media_type', "Send the body as JSON, with 'Content-Type: application/json'.")
  }
  const bytes = await readBytes(request, limits.bodyBytes)
  const broken = (what: string, cause?: unknown): GatewayError =>
    new GatewayError('invalid_json', `We could not parse the JSON body of your request. ${what}`, { cause })
  if (bytes.length === 0) throw broken('The body is empty; a JSON object is expected.')
  let body: unknown
  try {
    body = JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw broken('The body is not valid JSON in UTF-8.', cause)
  }
  if (isDeeperThan(body, limits.depth)) throw broken(`The body is nested more than ${limits.depth} levels deep.`)
  return body
}
