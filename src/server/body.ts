import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'
import { isDeeperThan } from '../protocol/json.ts'

const maxDepth = 128
const decoder = new TextDecoder('utf-8', { fatal: true })

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = (): GatewayError =>
    new GatewayError(
      'body_too_large',
      "The request body is larger than this gateway takes: see 'limits.body' in its config.",
    )
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      // The rest runs into the void: a connection cut while the client still writes would lose our answer.
      request.off('data', onData)
      reject(tooLarge())
    }
    request.on('data', onData)
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.once('error', (cause) =>
      reject(new GatewayError('invalid_request', 'The request body was cut off.', { cause })),
    )
  })
}

/** The JSON of a request body: within the limit, not encoded, UTF-8, and no deeper than anything after it can bear. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new GatewayError(
      'unsupported_media_type',
      'Encoded request bodies are not taken. Send the JSON as it is, without Content-Encoding.',
    )
  }
  const bytes = await readBytes(request, limitBytes)
  const broken = (what: string, cause?: unknown): GatewayError =>
    new GatewayError('invalid_json', `We could not parse the JSON body of your request. ${what}`, { cause })
  if (bytes.length === 0) throw broken('The body is empty; a JSON object is expected.')
  let body: unknown
  try {
    body = JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw broken('The body is not valid JSON in UTF-8.', cause)
  }
  if (isDeeperThan(body, maxDepth)) throw broken(`The body is nested more than ${maxDepth} levels deep.`)
  return body
}
