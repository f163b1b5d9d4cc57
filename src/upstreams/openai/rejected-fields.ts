import { sha256Url } from '../../bytes.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import { createClientWords } from '../../protocol/text/client-words.ts'
import { readRefusal } from '../refusals/complaints.ts'
import type { UpstreamEvent } from '../upstream.ts'

/** What a refusal says of the request's fields: leave this out, or call it something else. */
export interface RejectedField {
  readonly field: string
  /** It is a field of messages, not of the request. */
  readonly inMessages: boolean
  readonly instead?: string
  /** Only this value of it, as JSON, is not taken. */
  readonly value?: string
  /** It was refused in a request with tools; without them it may do. */
  readonly withTools: boolean
  /** The words are the service's own. Others may be a quotation from the request: worth a try, and never kept. */
  readonly isOwn: boolean
}

/** What services were found not to take. A scope is a model and its caller, made when it is asked for. */
export interface RejectedFields {
  /** What is known about this body. */
  about(scope: () => string, body: JsonObject): readonly RejectedField[]
  /** A request went well with these, and only with these: from now on they are known. */
  keep(scope: () => string, rejected: readonly RejectedField[]): void
}

/** Without these there is no request; and a service that refuses tools is asked without them, in another way. */
const kept = new Set(['model', 'messages', 'stream', 'tools', 'role', 'content', 'tool_calls', 'tool_call_id'])
/** What means nothing, and is refused, without the field it belongs to. */
const belongings: Readonly<Record<string, readonly string[]>> = { logprobs: ['top_logprobs'] }
const maxScopes = 500
/** Services are updated. */
const knownForMs = 3_600_000
const quote = '[`\'"]'

const namings = [
  /extra inputs are not permitted, field: ['"`]([\w.[\]]+)/gi,
  new RegExp(
    `(?:unknown|unrecognized|unsupported|unexpected)[\\w ]*(?:parameter|argument|field|property|key)[\\w() ]*:? *${quote}?([\\w.[\\]]+)`,
    'gi',
  ),
  new RegExp(`unknown name ${quote}([\\w.]+)`, 'gi'),
  new RegExp(`property ${quote}?([\\w.]+)${quote}? is unsupported`, 'gi'),
  new RegExp(`${quote}?\\b([\\w.]+)${quote}? (?:is|are) not (?:supported|allowed|permitted)`, 'gi'),
]

/** A value that is not taken, where others of the same field may be. */
const valueNamings = [/unsupported value: ['"`](\w+)['"`]/gi]

interface Allusion {
  readonly phrase: RegExp
  readonly fields: readonly string[]
  readonly isValue: boolean
}

/** Words about a field that do not name it: a choice of tools, thinking. */
const allusions: readonly Allusion[] = [
  {
    phrase:
      /does not support this tool_choice|support the provided ['"`]tool_choice|allowed string values for ['"`]tool_choice|input should be 'auto', 'none' or 'any'/gi,
    fields: ['tool_choice'],
    isValue: true,
  },
  // Ollama, of a model that does not think.
  { phrase: /does not support thinking/gi, fields: ['reasoning_effort', 'think'], isValue: false },
]

export function createRejectedFields(now: () => number): RejectedFields {
  const byScope = createMemory<readonly (RejectedField & { readonly until: number })[]>({ entries: maxScopes })

  let hasAny = false
  return {
    about(scope, body) {
      if (!hasAny) return []
      return (byScope.get(scope()) ?? []).filter((rejection) => now() < rejection.until && concerns(rejection, body))
    },
    keep(scope, rejected) {
      const own = rejected.filter(({ isOwn }) => isOwn)
      if (own.length === 0) return
      hasAny = true
      const where = scope()
      const known = (byScope.get(where) ?? []).filter(({ until }) => now() < until)
      byScope.set(where, [...known, ...own.map((rejection) => ({ ...rejection, until: now() + knownForMs }))])
    },
  }
}

/** What one caller may not send, another may: a key stands for its account. */
export function scopeOf(model: string, secret: string | undefined): string {
  return JSON.stringify([model, sha256Url(secret ?? '')])
}

/** A body as its service takes it. */
export function withoutRejected(body: JsonObject, rejected: readonly RejectedField[]): JsonObject {
  return rejected.filter((rejection) => concerns(rejection, body)).reduce(withoutField, body)
}

/** What was done about one. */
export function toNote({ field, instead }: RejectedField): UpstreamEvent {
  return instead === undefined
    ? { type: 'note', kind: 'field_dropped', detail: field }
    : { type: 'note', kind: 'field_renamed', detail: `${field} to ${instead}` }
}

interface Naming {
  readonly path: string
  readonly isOwn: boolean
  readonly isValue: boolean
}

/** What a refusal of this body says to change. */
export function readRejectedFields(
  body: JsonObject,
  status: number | undefined,
  refusal: unknown,
): readonly RejectedField[] {
  if (status !== undefined && status !== 400 && status !== 404 && status !== 422) return []
  const client = createClientWords(body)
  const said = readRefusal(refusal, client)
  const text = said.message.replace(/\\+(["'])/g, '$1')
  const named: Naming[] = said.fields.map(({ path }) => ({ path, isOwn: true, isValue: false }))
  if (said.param !== undefined && /unknown_parameter|unsupported_(?:parameter|value)/.test(said.labels)) {
    named.push({ path: said.param, isOwn: true, isValue: said.labels.includes('unsupported_value') })
  }
  const find = (pattern: RegExp, isValue: boolean, fields?: readonly string[]) => {
    for (const [phrase, path = ''] of text.matchAll(pattern)) {
      const isOwn = !client.has(phrase)
      for (const field of fields ?? [path]) named.push({ path: field, isOwn, isValue })
    }
  }
  for (const naming of namings) find(naming, false)
  for (const naming of valueNamings) find(naming, true)
  for (const { phrase, fields, isValue } of allusions) find(phrase, isValue, fields)
  const instead = /use ['"`](\w+)['"`] instead/i.exec(text)?.[1]
  const rejected = new Map<string, RejectedField>()
  for (const naming of named) {
    const rejection = toRejectedField(naming, body, instead)
    const known = rejection && rejected.get(rejection.field)
    if (rejection && (known === undefined || (rejection.isOwn && !known.isOwn)))
      rejected.set(rejection.field, rejection)
  }
  return [...rejected.values()]
}

function toRejectedField(
  { path, isOwn, isValue }: Naming,
  body: JsonObject,
  instead: string | undefined,
): RejectedField | undefined {
  const field = path.match(/[A-Za-z_]\w*/g)?.at(-1)
  if (field === undefined || kept.has(field)) return undefined
  const rejection = { field, isOwn, withTools: Object.hasOwn(body, 'tools') }
  if (!Object.hasOwn(body, field)) {
    return messagesOf(body).some((message) => holds(message, field)) ? { ...rejection, inMessages: true } : undefined
  }
  return {
    ...rejection,
    inMessages: false,
    ...(isValue && { value: JSON.stringify(body[field]) }),
    ...(instead !== undefined && !Object.hasOwn(body, instead) && { instead }),
  }
}

function messagesOf(body: JsonObject): readonly JsonObject[] {
  return Array.isArray(body['messages']) ? body['messages'].filter(isJsonObject) : []
}

function concerns({ field, inMessages, value, withTools }: RejectedField, body: JsonObject): boolean {
  if (withTools && !Object.hasOwn(body, 'tools')) return false
  if (inMessages) return messagesOf(body).some((message) => holds(message, field))
  return Object.hasOwn(body, field) && (value === undefined || value === JSON.stringify(body[field]))
}

function withoutField(body: JsonObject, { field, inMessages, instead }: RejectedField): JsonObject {
  if (inMessages) return { ...body, messages: messagesOf(body).map((message) => withoutInside(message, field)) }
  const value = body[field]
  if (value === undefined) return body
  const left = [field, ...(belongings[field] ?? [])].reduce(without, body)
  return instead === undefined ? left : { ...left, [instead]: value }
}

/** A field of a message may stand in its calls as well. */
function holds(message: JsonObject, field: string): boolean {
  return Object.hasOwn(message, field) || callsOf(message).some((call) => Object.hasOwn(call, field))
}

function withoutInside(message: JsonObject, field: string): JsonObject {
  const calls = callsOf(message).map((call) => without(call, field))
  return { ...without(message, field), ...(calls.length > 0 && { tool_calls: calls }) }
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  return Array.isArray(message['tool_calls']) ? message['tool_calls'].filter(isJsonObject) : []
}

function without(object: JsonObject, field: string): JsonObject {
  const { [field]: _, ...rest } = object as Record<string, Json>
  return rest
}
