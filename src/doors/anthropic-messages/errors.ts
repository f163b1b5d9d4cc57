import type { FailureCode, GatewayError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Reply } from '../door.ts'

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

/** As agents of this protocol know it: they look for these words, and make their conversation shorter. */
export function overflow(tokens: number, most: number): string {
  return `prompt is too long: ${tokens} tokens > ${most} maximum`
}

const known = /prompt is too long: \d+ tokens > \d+ maximum/i

/** Where services name their limit: after these words, or before them. */
const limits = [
  /(?:context (?:length|size|window)|model(?:'s)? (?:length|limit)|maximum (?:allowed )?(?:length|number of tokens)|max_model_len|n_ctx|limit(?: of)?)[^\d.]{0,40}(\d{2,})/i,
  /(\d{2,})[ -]?tokens? (?:context|limit|maximum)/i,
]

/** Where they say that the prompt fits, and the answer that was allowed does not fit beside it. */
const answers = [
  /(?<prompt>\d+) (?:tokens )?(?:in|of|from) (?:the |your )?(?:messages|prompt|input)\D*(?<answer>\d+) (?:tokens )?(?:in|for) the completion/i,
  /too large: (?<answer>\d+).*?(?<prompt>\d+) input tokens/is,
]

/** Agents then allow less. */
function sayAnswer(prompt: number, answer: number, most: number): string {
  const remedy = 'decrease input length or `max_tokens` and try again'
  return `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${most}, ${remedy}`
}

/** What a service says about a prompt that does not fit, in the words that count here; its figures where it told them. */
function sayOverflow(message: string): string {
  const said = known.exec(message)?.[0]
  if (said !== undefined) return said
  const plain = message.replace(/(\d)[,_](?=\d{3}\b)/g, '$1')
  const most = Number(limits.map((limit) => limit.exec(plain)?.[1]).find((figure) => figure !== undefined) ?? 0)
  const asked = answers.map((pattern) => pattern.exec(plain)).find((match) => match !== null)
  const { prompt = '', answer = '' } = asked?.groups ?? {}
  if (most > 0 && prompt !== '' && Number(prompt) <= most) return sayAnswer(Number(prompt), Number(answer), most)
  const larger = [...plain.matchAll(/\d+/g)].map(([figure]) => Number(figure)).filter((figure) => figure > most)
  if (most === 0 || larger.length === 0) return `prompt is too long: ${message}`
  return overflow(Math.min(...larger), most)
}
