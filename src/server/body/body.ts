import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { parseBody } from '../../doors/serving/json-body.ts'
import { GatewayError } from '../../errors.ts'
import { longText, pause } from '../../pause.ts'

const jsonType = /^application\/json *(?:;[^,]*)?$/i

/** A client writes first and listens then: of a body that is too large this much more is read, so that it gets its answer. */
const mostDrainedBytes = 64 << 20

function tooLarge(): GatewayError {
  return new GatewayError(
    'body_too_large',
    "The request body is larger than this gateway allows. Raise 'limits.body' in its config if you need more.",
  )
}

/** The bytes of a body of at most so many. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
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
 * Strict for web pages: other types are what they may send without asking the browser for leave. Programs often send JSON
 * under curl's default type, or none; a browser always sends an Origin or Sec-Fetch headers with a POST.
 */
function isJsonType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type']
  if (type !== undefined && jsonType.test(type)) return true
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false
  return type === undefined || !Object.keys(headers).some((name) => name.startsWith('sec-fetch-'))
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>

/** The encodings that clients use; what comes out of them is held to the same limit. */
const decodings: ReadonlyMap<string, Decode> = new Map([
  ['gzip', promisify(gunzip) as Decode],
  ['zstd', promisify(zstdDecompress) as Decode],
])

function decodingOf({ headers }: IncomingMessage): Decode | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return undefined
  const decode = decodings.get(encoding)
  if (decode !== undefined) return decode
  throw new GatewayError(
    'unsupported_media_type',
    'This Content-Encoding is not supported. Send the JSON uncompressed, or compress it with gzip or zstd.',
  )
}

async function decoded(bytes: Buffer, decode: Decode, limit: number): Promise<Buffer> {
  try {
    return await decode(bytes, { maxOutputLength: limit })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new GatewayError('invalid_json', 'The request body does not match its Content-Encoding.', { cause })
  }
}

export interface BodyLimits {
  readonly bodyBytes: number
  /** How deep its JSON may be nested. */
  readonly depth: number
}

/** The JSON of a request body: within the limit, UTF-8, and no deeper than anything after it can bear. `onBody` gets its bytes. */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  onBody?: (bytes: Uint8Array) => void,
): Promise<unknown> {
  const decode = decodingOf(request)
  if (!isJsonType(request)) {
    throw new GatewayError('unsupported_media_type', "Send the body as JSON, with 'Content-Type: application/json'.")
  }
  const sent = await readBytes(request, limits.bodyBytes)
  const bytes = decode === undefined || sent.length === 0 ? sent : await decoded(sent, decode, limits.bodyBytes)
  onBody?.(bytes)
  const body = parseBody(bytes, limits.depth)
  if (bytes.length > longText) await pause()
  return body
}
