import type { FailureCode, GatewayError } from '../../errors.ts'
import { type Reply, reply } from '../door.ts'

/** Where clients of this protocol know a failure by another name. */
const names: Readonly<Partial<Record<FailureCode, string>>> = {
  upstream_overloaded: 'server_is_overloaded',
  draining: 'server_is_overloaded',
}

/** A failure as the answer to a request. */
export function printError({ code, message, param, type, status }: GatewayError): Reply {
  return reply(JSON.stringify({ error: { message, type, param, code: names[code] ?? code } }), status)
}

/** Those that clients know inside a response; of others they only need to know whether to ask again. */
const spoken: ReadonlySet<FailureCode> = new Set([
  'context_length_exceeded',
  'rate_limit_exceeded',
  'insufficient_quota',
])

/** A failure inside a response. What clients do about it hangs on its code, and how long they wait on its words. */
export function toResponseError(error: GatewayError): { readonly code: string; readonly message: string } {
  const { code, message, status, retryAfterSeconds } = error
  if (code === 'queue_full' || code === 'rate_limit_exceeded') {
    return {
      code: 'rate_limit_exceeded',
      message: `${message} Please try again in ${Math.ceil(retryAfterSeconds ?? 1)}s.`,
    }
  }
  if (spoken.has(code)) return { code, message }
  return { code: status >= 400 && status < 500 ? 'invalid_prompt' : 'server_error', message }
}
