import { type FailureCode, GatewayError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { redact } from './redact.ts'
import { BadGeneration } from './upstream.ts'
import { waitWords } from './waiting.ts'

const MAX_MESSAGE_CHARACTERS = 2000

/** A refusal as it came: an HTTP error, or an error inside a stream that began well (then `status` may be unknown). */
export interface Refusal {
  readonly upstream: string
  readonly status?: number | undefined
  readonly body: unknown
  readonly retryAfter?: string | undefined
  /** What to think of when there is nothing at the address. */
  readonly missing?: string
  readonly secrets?: readonly string[]
}

interface Said {
  readonly message: string
  /** The service's own words for it, `code` and `type`, for the patterns. */
  readonly labels: string
  readonly param?: string
  readonly status?: number
  /** What the model said that the service could not read. */
  readonly generation?: string
}

const patterns = {
  auth: /invalid[ _]api[ _]key|incorrect api key|unauthorized|authentication_error|no auth credentials|token has expired/i,
  quota:
    /insufficient_quota|exceeded your current quota|insufficient[ _](?:balance|funds?|credits?)|billing|more credits|usage limit/i,
  context:
    /context_length_exceeded|maximum (?:context|model) length|exceed_context_size|exceeds the available context size|longer than the model'?s context|exceeds the maximum allowed length|prompt is (?:too long|longer than the context)|input length exceeds the context length|input is too long|context window/i,
  tools: new RegExp(
    [
      'requires --(?:enable-auto-tool-choice|tool-call-parser)',
      "does(?:n't| not) support (?:tools?\\b|tool use|tool[ -]call|function[ -]call|parameters:.*tools)",
      'tool (?:use|calling|calls?)\\W{0,2} (?:is|are) not supported',
      'no endpoints found that support tool use',
      'tool_error',
      'extra_forbidden[^}]*"(?:tools|functions)"',
      '(?:not permitted, field|unsupported parameter(?:\\(s\\))?|unknown parameter|unrecognized request argument supplied): ?[\'`"]?(?:tools|functions)\\b',
    ].join('|'),
    'i',
  ),
  /** llama.cpp says this with a 500. */
  jinja: /(?:tools?|tool_choice) param requires --jinja/i,
  generation:
    /tool_use_failed|output that does not match the expected|failed to parse input at pos|error parsing tool call/i,
  model: /model_not_found|\bmodels?\b.*(?:not exist|not found|unknown|no access|not available)|unknown model/is,
  overloaded: /overloaded|over capacity|loading model|no available (?:server|capacity)|queue is full/i,
  rate: /rate[ _-]?limit|too many requests/i,
}

/** A service without tools says so with one of these; any other status with such words is about something else. */
const refusingStatuses = new Set([400, 404, 422, 501])

/** The one verdict on what a service refused. Its message is kept, without secrets. */
export function classifyRefusal(refusal: Refusal): GatewayError {
  const said = readRefusal(refusal.body)
  const told = refusal.status !== undefined && refusal.status >= 300 ? refusal.status : said.status
  const status = told ?? 500
  const text = `${said.labels} ${said.message}`
  const refusesTools =
    patterns.jinja.test(text) ||
    ((told === undefined || refusingStatuses.has(told)) && (patterns.tools.test(text) || refersToTools(said)))
  const code = toCode(status, text, refusesTools)
  const words = redact(said.message || silenceOf(code, refusal), refusal.secrets).slice(0, MAX_MESSAGE_CHARACTERS)
  const message = `${refusal.upstream}: ${words}${hintFor(code, status, refusal.missing)}`
  const isRejection = code === 'upstream_rejected' || code === 'upstream_error'
  if (isRejection && !refusesTools && patterns.generation.test(text)) {
    return new BadGeneration('upstream_error', message, said.generation ?? generationIn(said.message))
  }
  const param =
    code === 'upstream_rejected' && refusesTools
      ? 'tools'
      : code === 'context_length_exceeded'
        ? 'messages'
        : said.param
  const options = { param, retryAfterSeconds: toSeconds(refusal.retryAfter) }
  const failure = new GatewayError(code, message, options)
  return failure.status < 429 ? new GatewayError(code, withoutRetryWords(message), options) : failure
}

/** OpenAI's way: a code, and the field it is about. */
function refersToTools({ labels, param = '' }: Said): boolean {
  return /unsupported_(?:parameter|value)|unknown_parameter/.test(labels) && /^(?:tools|functions)\b/.test(param)
}

/** The model's words inside those of llama.cpp and Ollama. */
function generationIn(message: string): string {
  return (
    /raw='([\s\S]*)', err=/.exec(message)?.[1] ??
    /parse input at pos(?:ition)? \d+: ([\s\S]*)$/i.exec(message)?.[1] ??
    ''
  )
}

function toCode(status: number, text: string, refusesTools: boolean): FailureCode {
  if (status >= 300 && status < 400) return 'upstream_error'
  if (status === 401 || (status < 500 && patterns.auth.test(text))) return 'upstream_auth'
  if (status === 402 || patterns.quota.test(text)) return 'insufficient_quota'
  if (status === 429) return 'rate_limit_exceeded'
  if (patterns.context.test(text)) return 'context_length_exceeded'
  if (refusesTools) return 'upstream_rejected'
  if (status === 403) return 'upstream_forbidden'
  if (status === 404) return patterns.model.test(text) ? 'model_not_found' : 'upstream_error'
  if (status === 408 || status === 504 || status === 524) return 'upstream_timeout'
  if (status === 413) return 'body_too_large'
  // TGI says with this that the generation failed.
  if (status === 424) return 'upstream_error'
  if (status >= 400 && status < 500) return 'upstream_rejected'
  if (status === 503 || status === 529 || patterns.overloaded.test(text)) return 'upstream_overloaded'
  return patterns.rate.test(text) ? 'rate_limit_exceeded' : 'upstream_error'
}

/** What a refusal without a word says. */
function silenceOf(code: FailureCode, { retryAfter }: Refusal): string {
  if (code !== 'rate_limit_exceeded') return 'no reason given'
  const seconds = toSeconds(retryAfter)
  return `it gets too many requests. Try again in ${seconds === undefined ? 'a moment' : waitWords(seconds)}.`
}

function hintFor(code: FailureCode, status: number, missing = 'is the url right? It usually ends in /v1'): string {
  if (status >= 300 && status < 400) return ` (it redirects, with status ${status}; redirects are not followed)`
  if (code === 'upstream_error' && status === 404) return ` (status 404: ${missing})`
  return ''
}

/** Finds the words in OpenAI's shape, vLLM's flat one, plain strings, Mistral's details, and OpenRouter's nested text. */
function readRefusal(body: unknown): Said {
  if (typeof body === 'string') return readText(body)
  if (!isJsonObject(body)) return { message: '', labels: '' }
  const error = body['error']
  if (typeof error === 'string') return { message: error, labels: labelsOf(body) }
  const shape = isJsonObject(error) ? error : body
  const raw = isJsonObject(shape['metadata']) ? shape['metadata']['raw'] : undefined
  const nested = typeof raw === 'string' && raw !== '' ? readText(raw) : undefined
  const message = messageOf(shape['message'] ?? shape['detail'] ?? shape['msg'])
  const status = [shape['code'], shape['status_code'], shape['http_status_code'], shape['status']].find(isStatus)
  return {
    message: nested?.message && !message.includes(nested.message) ? join(message, nested.message) : message,
    labels: join(labelsOf(shape), nested?.labels ?? ''),
    ...(typeof shape['param'] === 'string' && { param: shape['param'] }),
    ...(typeof shape['failed_generation'] === 'string' && { generation: shape['failed_generation'] }),
    ...(status !== undefined && { status }),
  }
}

function readText(text: string): Said {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) {
    try {
      return readRefusal(JSON.parse(trimmed))
    } catch {
      // It only began like JSON: the words are the message.
      return { message: trimmed, labels: '' }
    }
  }
  if (!trimmed.startsWith('<')) return { message: trimmed, labels: '' }
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(trimmed)?.[1]?.trim()
  return { message: title ? `an HTML page, "${title}"` : 'an HTML page', labels: '' }
}

function messageOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function labelsOf(shape: JsonObject): string {
  return [shape['code'], shape['type'], shape['error_type']].filter((label) => typeof label === 'string').join(' ')
}

function join(first: string, second: string): string {
  return first && second ? `${first}: ${second}` : first || second
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value < 600
}

/** `Retry-After` in either of its forms. */
function toSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(header)
    ? Math.ceil(Number(header))
    : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/**
 * Some agents look for these anywhere in a refusal and then retry for ever, even "limited to 5000 bytes". Figures keep
 * their look: an invisible word joiner breaks them up.
 */
export function withoutRetryWords(message: string): string {
  return message
    .replace(/4(?=29)|5(?=0[0234]|24)/g, '$&\u2060')
    .replace(/time-?out/gi, 'time limit')
    .replace(/timed out/gi, 'took too long')
    .replace(/rate[ _-]?limit/gi, 'request limit')
    .replace(/server error/gi, 'error in the service')
}
