import type { FailureCode, GatewayError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Reply } from '../door.ts'
import { sayOverflow } from './overflow.ts'

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** Asking again changes nothing: clients of this protocol are told so, or some of them wait for minutes. */
const hopeless: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'invalid_api_key',
  'upstream_auth',
  'insufficient_quota',
  'upstream_blocked',
])

/** A failure as this protocol says it, for a body and for a stream alike. */
export function toError(error: GatewayError): JsonObject {
  return {
    type: typeOf(error),
    message: sayFailure(error),
    ...(error.code === 'thread_not_found' && { details: { error_code: error.code } }),
  }
}

export function printError(error: GatewayError, requestId: string): Reply {
  return {
    status: statusOf(error),
    body: JSON.stringify({ type: 'error', error: toError(error), request_id: requestId }),
    headers: { 'request-id': requestId, ...(hopeless.has(error.code) && { 'x-should-retry': 'false' }) },
  }
}

/** A service that has too much to do has a status of its own here. */
function statusOf({ code, status }: GatewayError): number {
  return code === 'upstream_overloaded' ? 529 : status
}

function typeOf(error: GatewayError): string {
  const status = statusOf(error)
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}

/** There is no field for the place of a fault: it stands before the words, with dots. */
function sayFailure(error: GatewayError): string {
  const { code, message, param } = error
  if (code === 'context_length_exceeded') return sayOverflow(message)
  if (code === 'model_not_found') return `model: ${/model '([^']*)'/i.exec(message)?.[1] ?? message}`
  if (param === null || code === 'thread_not_found') return message
  const place = toPlace(param)
  return message.startsWith(`${place}: `) ? message : `${place}: ${message.replaceAll(param, place)}`
}

/** `messages[3].content[0]` is `messages.3.content.0` here. */
function toPlace(param: string): string {
  return param.replace(/\[(\d+)\]/g, '.$1')
}
