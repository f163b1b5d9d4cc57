import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { ClientWords } from '../../protocol/text/client-words.ts'

/** What a refusal says, wherever in its body it says it. */
export interface Said {
  readonly message: string
  /** The service's own words for it, `code`, `type` and the like, for the patterns. */
  readonly labels: string
  /** Fields of the request it names in a place of their own. */
  readonly fields: readonly NamedField[]
  readonly param?: string
  readonly status?: number
  /** What the model said that the service could not read. */
  readonly generation?: string
}

interface NamedField {
  readonly path: string
  readonly type: string
}

const noWords: ClientWords = { has: () => false }
const nothing: Said = { message: '', labels: '', fields: [] }
const maxDepth = 12
const maxListed = 8

const wordKeys = [
  ...['message', 'msg', 'error_message', 'error_msg', 'errorMessage', 'err_msg', 'errmsg', 'status_msg', 'faultstring'],
  ...['detail', 'details', 'error_description', 'errorDescription', 'description', 'reason', 'text', 'title'],
]
const labelKeys = ['code', 'type', 'error_type', 'status', 'error_code', 'errorCode', 'err_code', '__type']
const statusKeys = ['code', 'status_code', 'http_status_code', 'statusCode', 'status', 'error_code']
/** Where the refusal itself may be wrapped. */
const wrapKeys = ['error', 'err', 'errors', 'fault', 'base_resp', 'data', 'failure', 'raw', 'metadata', 'choices']

/**
 * Finds the words in whatever shape a service gives its errors: OpenAI's, vLLM's flat one, plain strings, FastAPI's
 * details, `code` and `msg`, lists of errors, and JSON inside the texts of any of them. What the client wrote itself is
 * not read as JSON: it would speak in the service's name.
 */
export function readRefusal(body: unknown, client = noWords, depth = 0): Said {
  if (depth > maxDepth) return nothing
  const readInner = (inner: unknown) => readRefusal(inner, client, depth + 1)
  if (typeof body === 'string') return readText(body, client, readInner)
  if (Array.isArray(body)) return joinAll(body.slice(0, maxListed).map(readInner))
  if (!isJsonObject(body)) return nothing
  if (Array.isArray(body['loc'])) return readDetail(body)
  const words = wordKeys.map((key) => body[key]).find((value) => isFilled(value) && typeof value !== 'number')
  const wrapped = wrapKeys.filter((key) => body[key] !== words).map((key) => readInner(body[key]))
  const status = statusKeys.map((key) => body[key]).find(isStatus)
  const own: Said = {
    ...readInner(words),
    ...(isText(body['param']) && { param: body['param'] }),
    ...(isText(body['failed_generation']) && { generation: body['failed_generation'] }),
    ...(status !== undefined && { status }),
  }
  const labels = labelKeys.map((key) => body[key]).filter(isText)
  return joinAll([{ ...own, labels: [own.labels, ...labels].filter(isText).join(' ') }, ...wrapped])
}

/** One of FastAPI's: where, what kind, which words. Its `input` is the client's own text and tells nothing. */
function readDetail({ loc, msg, type }: JsonObject): Said {
  const places = (Array.isArray(loc) ? loc : []).filter((place) => place !== 'body')
  const path = places.join('.')
  const words = isText(msg) ? msg : ''
  const kind = isText(type) ? type : ''
  return {
    message: [path, words || kind].filter(isText).join(': '),
    labels: kind,
    fields: path === '' ? [] : [{ path, type: kind || words }],
  }
}

function readText(text: string, client: ClientWords, readInner: (inner: unknown) => Said): Said {
  const trimmed = text.trim()
  if (trimmed.startsWith('<')) {
    const title = /<title[^>]*>([^<]*)<\/title>/i.exec(trimmed)?.[1]?.trim()
    return { ...nothing, message: title ? `an HTML page, "${title}"` : 'an HTML page' }
  }
  const begin = trimmed.search(/[[{]/)
  const inner = begin === -1 || client.has(trimmed.slice(begin)) ? undefined : parseJson(trimmed.slice(begin))
  const said = typeof inner === 'object' ? readInner(inner) : nothing
  if (said.message === '' && said.labels === '') return { ...nothing, message: trimmed }
  const before = trimmed.slice(0, begin).replace(/[\s:–-]+$/, '')
  return joinAll([{ ...nothing, message: before }, said])
}

/** Several sayings as one; of what can be said once, the first counts. */
function joinAll(all: readonly Said[]): Said {
  const [param, status, generation] = (['param', 'status', 'generation'] as const).map(
    (key) => all.find((said) => said[key] !== undefined)?.[key],
  )
  return {
    message: all.reduce((words, { message }) => joinWords(words, message), ''),
    labels: all
      .map(({ labels }) => labels)
      .filter(isText)
      .join(' '),
    fields: all.flatMap(({ fields }) => fields),
    ...(typeof param === 'string' && { param }),
    ...(typeof status === 'number' && { status }),
    ...(typeof generation === 'string' && { generation }),
  }
}

function joinWords(first: string, second: string): string {
  if (second === '' || first.includes(second)) return first
  return first === '' || second.includes(first) ? second : `${first}: ${second}`
}

const codeKeys = ['code', 'status_code', 'statusCode', 'error_code', 'errorCode', 'err_code', 'errcode', 'status']
const fineCodes: ReadonlySet<unknown> = new Set([0, 200, '', '0', '200', 'ok', 'success', 'succeeded'])
const failedWords: ReadonlySet<unknown> = new Set(['error', 'fail', 'failed', 'failure', 'exception'])

/**
 * Whether an object that came in the place of an answer is a refusal. `maybe`: it has words and nothing else that an
 * answer has; it is one if no answer follows.
 */
export function complains(value: JsonObject): 'surely' | 'maybe' | undefined {
  const { choices } = value
  const isAnswer = Array.isArray(choices) && choices.some(isJsonObject)
  if (isFilled(value['error']) || value['object'] === 'error' || isFailedCode(value['base_resp'])) return 'surely'
  if (isAnswer)
    return choices.some((choice) => isJsonObject(choice) && isFilled(choice['error'])) ? 'surely' : undefined
  if (value['success'] === false || value['ok'] === false || Array.isArray(value['ret'])) return 'surely'
  if (isFilled(value['errors']) || isFilled(value['fault']) || failedWords.has(value['type'])) return 'surely'
  const isFrame = isJsonObject(value['usage']) || isText(value['object'])
  if (!isFrame && (isFilled(value['detail']) || isFailedCode(value))) return 'surely'
  return isFailedCode(value) || wordKeys.some((key) => isText(value[key])) ? 'maybe' : undefined
}

function isFailedCode(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  return codeKeys.some((key) => {
    const code = value[key]
    if (key === 'status') return isStatus(code) || failedWords.has(lowered(code))
    return (typeof code === 'number' || typeof code === 'string') && !fineCodes.has(lowered(code))
  })
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

/** Whether anything is said: some services send an empty error along with every answer. */
function isFilled(value: unknown, levels = maxDepth): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return Boolean(value)
  return Object.values(value).some((inner) => isFilled(inner, levels - 1))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value < 600
}
