import { GatewayError } from '../../errors.ts'
import { redact } from '../refusals/redact.ts'

/** An answer beyond what may be kept of one. */
export function tooLarge(upstream: string): GatewayError {
  const remedy = "If you need responses this large, raise 'limits.answer' in the gateway's config."
  return new GatewayError('answer_too_large', `${upstream}: the response is larger than this gateway allows. ${remedy}`)
}

/** Whether the other side has gone, rather than that it said something odd or nothing in time. */
export function isHangUp(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false
  const { code, message } = thrown
  return code === 'ECONNRESET' || code === 'EPIPE' || (code === 'UND_ERR_SOCKET' && /closed$/.test(message))
}

/** undici's errors for bytes that are not valid HTTP. */
const malformed: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])

function isMalformed(thrown: unknown, code: string): boolean {
  return (thrown instanceof Error && thrown.name === 'HTTPParserError') || (malformed.has(code) && !isHangUp(thrown))
}

/** What the connection did, as a failure. */
export function toFailure(thrown: unknown, upstream: string, begun: boolean): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const words = redact(thrown instanceof Error ? thrown.message || code : code)
  if (isMalformed(thrown, code)) {
    return new GatewayError('upstream_malformed', `${upstream}: it did not answer with valid HTTP (${words}).`, {
      cause: thrown,
    })
  }
  if (begun) {
    const message = `${upstream}: the connection broke before the response was complete (${words}).`
    return new GatewayError('upstream_truncated', message, { cause: thrown })
  }
  return new GatewayError(
    'upstream_unreachable',
    `${upstream}: cannot be reached (${words}). Check that it is running and that its URL is right.`,
    { cause: thrown },
  )
}
