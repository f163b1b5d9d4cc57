import { type FailureCode, GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { createClientWords } from '../../protocol/text/client-words.ts'
import { BadGeneration, QuotedRefusal, SchemaRefusal } from '../upstream.ts'
import { readRefusal, type Said } from './complaints.ts'
import { redact } from './redact.ts'

const MAX_MESSAGE_CHARACTERS = 2000

/** A refusal as it came: an HTTP error, or an error inside a stream that began well (then `status` may be unknown). */
export interface Refusal {
  readonly upstream: string
  readonly status?: number | undefined
  readonly body: unknown
  /** What was refused. A service that quotes it says nothing of its own by that. */
  readonly sent?: JsonObject | undefined
  readonly retryAfter?: string | undefined
  /** What to think of when there is nothing at the address. */
  readonly missing?: string
  readonly secrets?: readonly string[]
}

const patterns = {
  auth: /invalid[ _-]?api[ _-]?key|incorrect api key|unauthorized|authentication_error|no auth credentials|token has expired/i,
  quota:
    /insufficient_quota|exceeded your current quota|quota (?:is |has been )?(?:exceeded|exhausted|used up)|insufficient[ _](?:balance|funds?|credits?)|billing|more credits|usage limit/i,
  context:
    /context_length_exceeded|maximum (?:context|model) length|exceed_context_size|exceeds the available context size|longer than the model'?s context|exceeds the maximum allowed length|prompt is (?:too long|longer than the context)|input length exceeds the context length|input is too long|context window/i,
  tools: new RegExp(
    [
      'requires --(?:enable-auto-tool-choice|tool-call-parser)',
      "does(?:n't| not) support (?:tools?\\b|tool use|tool[ -]call|function[ -]call|parameters:.*tools)",
      'tool (?:use|calling|calls?)\\W{0,2} (?:is|are) not supported',
      'no endpoints found that support tool use',
      'tool_error',
      '(?:not permitted, field|unsupported parameter(?:\\(s\\))?|unknown parameter|unrecognized request argument supplied): ?[\'`"]?(?:tools|functions)\\b',
    ].join('|'),
    'i',
  ),
  /** llama.cpp says this with a 500. */
  jinja: /(?:tools?|tool_choice) param requires --jinja/i,
  generation:
    /tool_use_failed|output that does not match the expected|failed to parse input at pos|error parsing tool call/i,
  model: /model_not_found|\bmodels?\b.*(?:not exist|not found|unknown|no access|not available)|unknown model/is,
  /** Said of a request with more than words in it. Some say it with a 500, some with a 404. */
  media: new RegExp(
    [
      "does(?:n't| not) (?:support|accept|take|allow) (?:\\w+ )?(?:images?|vision|audio|videos?|files?|multi-?modal)",
      '(?:images?|image_url|vision|audio|videos?|files?|multi-?modal)(?: \\w+){0,3} (?:(?:is|are) )?(?:not|only|un)[ -]?(?:supported|enabled|allowed|available|accepted|permitted)',
      'not (?:a |an )?(?:multi-?modal|vision)',
      '(?:at most|maximum of|up to) 0 (?:images?|audios?|videos?)',
      'support (?:images?|audio|file|video)s? input',
      'missing data required for (?:image|audio|video)',
      'unknown variant .?(?:image_url|input_audio|file|video_url)',
      'mmproj',
      'content.{0,20}(?:must be|expected|should be) (?:a )?(?:valid )?string',
    ].join('|'),
    'i',
  ),
  overloaded: /overloaded|over capacity|loading model|no available (?:server|capacity)|queue is full/i,
  rate: /rate[ _-]?limit|too many requests/i,
}

/** A service without tools says so with one of these; any other status with such words is about something else. */
const refusingStatuses = new Set([400, 404, 422, 501])

/** The one verdict on what a service refused. Its message is kept, without secrets. */
export function classifyRefusal(refusal: Refusal): GatewayError {
  const client = createClientWords(refusal.sent)
  const said = readRefusal(refusal.body, client)
  const told = refusal.status !== undefined && refusal.status >= 300 ? refusal.status : said.status
  const status = told ?? 500
  /** Whether the service says this itself: in a label, or in words it did not take from the request. */
  const says: Says = (pattern) =>
    pattern.test(said.labels) ||
    [...said.message.matchAll(new RegExp(pattern, `${pattern.flags}g`))].some(([phrase]) => !client.has(phrase))
  const mayRefuse = told === undefined || refusingStatuses.has(told)
  const refusesTools = says(patterns.jinja) || (mayRefuse && (says(patterns.tools) || refersToTools(said)))
  const media = status >= 400 && !refusesTools && says(patterns.media) ? mediaIn(refusal.sent) : undefined
  if (media !== undefined) return refuseMedia(refusal, said.message, media)
  const code = toCode(told, says, refusesTools)
  const words = redact(wordsOf(said, code, refusal), refusal.secrets).slice(0, MAX_MESSAGE_CHARACTERS)
  const message = `${refusal.upstream}: ${words}${hintFor(code, status, refusal.missing)}`
  const isRejection = code === 'upstream_rejected' || code === 'upstream_error'
  if (isRejection && !refusesTools && refusesSchema(status, refusal.sent, says)) {
    return new SchemaRefusal('upstream_rejected', withoutRetryWords(message), { param: 'tools' })
  }
  if (isRejection && !refusesTools && says(patterns.generation)) {
    return new BadGeneration('upstream_error', message, said.generation ?? generationIn(said.message))
  }
  const param =
    code === 'upstream_rejected' && refusesTools
      ? 'tools'
      : code === 'context_length_exceeded'
        ? 'messages'
        : (said.param ?? said.fields[0]?.path)
  const options = { param, retryAfterSeconds: toSeconds(refusal.retryAfter) }
  if (isRejection && mayRefuse && !refusesTools && patterns.tools.test(said.message)) {
    return new QuotedRefusal(code, withoutRetryWords(message), options)
  }
  const failure = new GatewayError(code, message, options)
  return failure.status < 429 ? new GatewayError(code, withoutRetryWords(message), options) : failure
}

/** For good, whatever status it came with: asking again would not give the model eyes. */
function refuseMedia({ upstream, secrets }: Refusal, words: string, { path, kind }: Media): GatewayError {
  const said = redact(words, secrets).slice(0, MAX_MESSAGE_CHARACTERS)
  const remedy = `Leave the ${kind} out, or choose a model that accepts them.`
  const message = `${upstream}: this model does not accept ${kind} (it said: ${said}). ${remedy}`
  return new GatewayError('unsupported_parameter', withoutRetryWords(message), { param: path })
}

/** What is shown of a refusal: its words, else its labels, else all of it. */
function wordsOf({ message, labels }: Said, code: FailureCode, refusal: Refusal): string {
  if (message !== '' || labels !== '') return message || labels
  const { body } = refusal
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0
  return isEmpty ? silenceOf(code, refusal) : JSON.stringify(body)
}

const toolFields = /^(?:tools|functions)\b/

/** A code and the field it is about, in places of their own. */
function refersToTools({ labels, param = '', fields }: Said): boolean {
  if (fields.some(({ path, type }) => toolFields.test(path) && /forbidden|not permitted/.test(type))) return true
  return /unsupported_(?:parameter|value)|unknown_parameter/.test(labels) && toolFields.test(param)
}

/** The model's words inside those of llama.cpp and Ollama. */
function generationIn(message: string): string {
  return (
    /raw='([\s\S]*)', err=/.exec(message)?.[1] ??
    /parse input at pos(?:ition)? \d+: ([\s\S]*)$/i.exec(message)?.[1] ??
    ''
  )
}

type Says = (pattern: RegExp) => boolean

function toCode(told: number | undefined, says: Says, refusesTools: boolean): FailureCode {
  const status = told ?? 500
  if (status >= 300 && status < 400) return 'upstream_error'
  if (status === 401 || ((told === undefined || status < 500) && says(patterns.auth))) return 'upstream_auth'
  if (status === 402 || says(patterns.quota)) return 'insufficient_quota'
  if (status === 429) return 'rate_limit_exceeded'
  if (says(patterns.context)) return 'context_length_exceeded'
  if (refusesTools) return 'upstream_rejected'
  if (status === 403) return 'upstream_forbidden'
  if (status === 404) return says(patterns.model) ? 'model_not_found' : 'upstream_error'
  if (status === 408 || status === 504 || status === 524) return 'upstream_timeout'
  if (status === 413) return 'body_too_large'
  // TGI says with this that the generation failed.
  if (status === 424) return 'upstream_error'
  if (status >= 400 && status < 500) return 'upstream_rejected'
  if (status === 503 || status === 529 || says(patterns.overloaded)) return 'upstream_overloaded'
  return says(patterns.rate) ? 'rate_limit_exceeded' : 'upstream_error'
}

/** What a refusal without a word says. */
function silenceOf(code: FailureCode, { retryAfter }: Refusal): string {
  if (code !== 'rate_limit_exceeded') return 'no reason given'
  const seconds = toSeconds(retryAfter)
  return `it is getting too many requests. Try again in ${seconds === undefined ? 'a moment' : waitWords(seconds)}.`
}

function hintFor(code: FailureCode, status: number, missing = 'is the URL right? It usually ends in /v1'): string {
  if (status >= 300 && status < 400)
    return ` (it redirects with status ${status}; put the final address into the config)`
  if (code === 'upstream_error' && status === 404) return ` (status 404: ${missing})`
  return ''
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

interface Media {
  readonly path: string
  readonly kind: string
}

const mediaKinds: Readonly<Record<string, string>> = {
  image_url: 'images',
  input_audio: 'audio',
  audio_url: 'audio',
  video_url: 'videos',
  file: 'files',
}

/** The first thing in a request that is no text. */
function mediaIn(sent: JsonObject | undefined): Media | undefined {
  const messages = Array.isArray(sent?.['messages']) ? sent['messages'] : []
  for (const [index, message] of messages.entries()) {
    const content = isJsonObject(message) ? message['content'] : undefined
    for (const part of Array.isArray(content) ? content : []) {
      const type = isJsonObject(part) ? part['type'] : undefined
      const kind = typeof type === 'string' ? mediaKinds[type] : undefined
      if (kind !== undefined) return { path: `messages[${index}].content`, kind }
    }
  }
  return undefined
}

/** What engines say when they do not take the schema of a tool, or cannot make a grammar of it. */
const schemaWords: Readonly<Record<string, readonly RegExp[]>> = {
  // LM Studio passes its words on, with "Engine protocol predict request returned 400" before them.
  'llama.cpp': [
    /json schema conversion failed|unrecognized schema|(?:error resolving|unsupported) ref\b/i,
    /pattern must start with '\^' and end with '\$'/i,
    /unable to generate parser for this template/i,
    /(?:failed to parse|error parsing|error initializing|couldn't compile a) .{0,20}grammar|failed to initialize samplers/i,
  ],
  'LM Studio': [/tools\W{0,3}\d+\W{1,3}(?:function\W{1,3})?parameters|error in (?:json )?schema|invalid json schema/i],
  Ollama: [/cannot unmarshal .{0,40} into Go (?:struct field|value) .{0,60}(?:tool|parameters|property)/i],
  'vLLM, xgrammar': [
    /features? (?:that (?:is|are) )?not supported by (?:xgrammar|outlines|guidance)/i,
    /(?:failed to|cannot|could not|unable to) (?:convert|compile|parse|build|resolve) .{0,60}(?:json ?schema|grammar|regex|\$?ref)/i,
    /invalid (?:grammar|regex|json ?schema)|grammar (?:error|compilation)|(?:json ?)?schema.{0,40} (?:is not|isn't|not) (?:valid|supported)/i,
    /tool .{0,80}(?:invalid|unsupported) .{0,10}(?:schema|parameters)/i,
  ],
  SGLang: [/function has invalid 'parameters' schema|failed to compile .{0,40}(?:schema|grammar)/i],
  'hosted services': [/invalid schema for function|invalid_function_parameters/i],
}

/** Engines say it of a request they do not take, and llama.cpp and LM Studio with a 500. */
const schemaStatuses: ReadonlySet<number> = new Set([400, 422, 500])

/** Whether a refusal is about the schemas of the tools that were sent. */
function refusesSchema(status: number, sent: JsonObject | undefined, says: Says): boolean {
  const tools = sent?.['tools']
  if (!schemaStatuses.has(status) || !Array.isArray(tools) || tools.length === 0) return false
  return Object.values(schemaWords).some((patterns) => patterns.some(says))
}

/** How long to wait, as people say it: `4 hours`, `90 minutes`, `30 seconds`. */
export function waitWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole % 3600 === 0) return counted(whole / 3600, 'hour')
  return whole % 60 === 0 || whole > 600 ? counted(Math.ceil(whole / 60), 'minute') : counted(whole, 'second')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
