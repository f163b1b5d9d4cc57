import { GatewayError } from '../../errors.ts'
import { redact } from '../refusals/redact.ts'

/** An answer beyond what may be kept of one. */
export function tooLarge(upstream: string): GatewayError {
  const remedy = "If you need responses this large, raise 'limits.answer' in the gateway's config."
  return new GatewayError('answer_too_large', `${upstream}: the response is larger than this gateway allows. ${remedy}`)
}

/** What the connection did, as a failure. */
export function toFailure(thrown: unknown, upstream: string, begun: boolean): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const words = redact(thrown instanceof Error ? thrown.message || code : code)
  if (code === 'HTTP_MALFORMED') {
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
