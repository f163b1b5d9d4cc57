/**
 * The one table of failures. Doors turn a GatewayError into their error body; nothing else decides a status.
 *
 * Messages of permanent (4xx) failures must not contain the words some agents retry on: three-digit server statuses,
 * "timeout", "rate limit", "server error".
 */
const failures = {
  // The client's request.
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_request: { status: 400, type: 'invalid_request_error' },
  missing_required_parameter: { status: 400, type: 'invalid_request_error' },
  invalid_type: { status: 400, type: 'invalid_request_error' },
  invalid_value: { status: 400, type: 'invalid_request_error' },
  empty_array: { status: 400, type: 'invalid_request_error' },
  array_above_max_length: { status: 400, type: 'invalid_request_error' },
  string_above_max_length: { status: 400, type: 'invalid_request_error' },
  invalid_function_parameters: { status: 400, type: 'invalid_request_error' },
  unknown_tool: { status: 400, type: 'invalid_request_error' },
  unknown_tool_call_id: { status: 400, type: 'invalid_request_error' },
  missing_tool_call_id: { status: 400, type: 'invalid_request_error' },
  unanswered_tool_call: { status: 400, type: 'invalid_request_error' },
  duplicate_tool_call_id: { status: 400, type: 'invalid_request_error' },
  malformed_tool_arguments: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  unsupported_parameter: { status: 400, type: 'invalid_request_error' },
  unsupported_content: { status: 400, type: 'invalid_request_error' },
  unsupported_tool_choice: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'invalid_request_error' },
  inspector_token: { status: 401, type: 'invalid_request_error' },
  admin_only: { status: 403, type: 'permission_error' },
  model_not_allowed: { status: 403, type: 'permission_error' },
  forbidden_host: { status: 403, type: 'invalid_request_error' },
  forbidden_origin: { status: 403, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  response_not_found: { status: 404, type: 'invalid_request_error' },
  previous_response_not_found: { status: 404, type: 'invalid_request_error' },
  item_not_found: { status: 404, type: 'invalid_request_error' },
  unsupported_endpoint: { status: 404, type: 'invalid_request_error' },
  thread_not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_too_slow: { status: 408, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  request_loop: { status: 400, type: 'invalid_request_error' },
  // The service behind us.
  upstream_rejected: { status: 400, type: 'invalid_request_error' },
  upstream_auth: { status: 401, type: 'authentication_error' },
  upstream_forbidden: { status: 403, type: 'permission_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  insufficient_quota: { status: 429, type: 'insufficient_quota' },
  queue_full: { status: 429, type: 'rate_limit_error' },
  upstream_error: { status: 502, type: 'server_error' },
  upstream_unreachable: { status: 502, type: 'server_error' },
  upstream_truncated: { status: 502, type: 'server_error' },
  upstream_malformed: { status: 502, type: 'server_error' },
  answer_too_large: { status: 502, type: 'server_error' },
  upstream_blocked: { status: 503, type: 'server_error' },
  upstream_overloaded: { status: 503, type: 'server_error' },
  draining: { status: 503, type: 'server_error' },
  overloaded: { status: 503, type: 'server_error' },
  not_ready: { status: 503, type: 'server_error' },
  upstream_timeout: { status: 504, type: 'server_error' },
  // Ours.
  internal_error: { status: 500, type: 'server_error' },
} as const satisfies Record<string, { status: number; type: string }>

export type FailureCode = keyof typeof failures

export const failureCodes = Object.keys(failures) as readonly FailureCode[]

export interface GatewayErrorOptions {
  /** Path of the field at fault, like `messages[3].tool_call_id`. */
  readonly param?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** A failure with its code, and so with its status and type. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: FailureCode
  readonly param: string | null
  readonly retryAfterSeconds: number | undefined

  constructor(code: FailureCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param ?? null
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return failures[this.code].status
  }

  get type(): string {
    return failures[this.code].type
  }
}

/** Any thrown thing as a GatewayError; what we did not expect is ours and says no more than that. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  return new GatewayError('internal_error', 'Something broke inside Dragoman. The log has the cause.', {
    cause: thrown,
  })
}

const listedFailures = 8
const listedLength = 240

/** Several failures of one request as one: the first gives the code and the field, the message tells of them all. */
export function joinFailures(failures: readonly GatewayError[]): GatewayError {
  const all = failures.flatMap((failure) =>
    failure.cause instanceof AggregateError ? (failure.cause.errors as readonly GatewayError[]) : [failure],
  )
  const [first, ...others] = all
  if (first === undefined) throw new RangeError('there is no failure to tell of')
  if (others.length === 0) return first
  const listed = others
    .slice(0, listedFailures)
    .map(({ message, param }) => `[${param ?? 'body'}] ${message.slice(0, listedLength)}`)
  const more = others.length > listed.length ? ' …' : ''
  return new GatewayError(first.code, `${first.message} Also: ${listed.join(' ')}${more}`, {
    param: first.param ?? undefined,
    cause: new AggregateError(all),
  })
}
