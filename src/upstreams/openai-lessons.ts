import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'

/** What a refusal says of the request's fields: leave this out, or call it something else. */
export interface Lesson {
  readonly field: string
  /** It is a field of messages, not of the request. */
  readonly inMessages: boolean
  readonly instead?: string
}

/** What a service was found not to take, per model. */
export interface Lessons {
  /** The body as this model's service takes it, and what that changed. */
  apply(model: string, body: JsonObject): { readonly body: JsonObject; readonly applied: readonly Lesson[] }
  /** Whether a refusal of this body teaches anything, to be applied from now on. */
  learn(model: string, body: JsonObject, status: number | undefined, refusal: unknown): boolean
}

/** Without these there is no request; and who refuses tools is asked without them, in another way. */
const kept = new Set(['model', 'messages', 'stream', 'tools', 'role', 'content', 'tool_calls', 'tool_call_id'])
const maxModels = 500
/** Services learn, too. */
const knownForMs = 3_600_000
const quote = '[`\'"]'

const namings = [
  /extra inputs are not permitted, field: ['"`]([\w.[\]]+)/gi,
  new RegExp(
    `(?:unknown|unrecognized|unsupported|unexpected)[\\w ]*(?:parameter|argument|field|property|key)[\\w() ]*:? *${quote}?([\\w.[\\]]+)`,
    'gi',
  ),
  new RegExp(`property ${quote}?([\\w.]+)${quote}? is unsupported`, 'gi'),
  new RegExp(`${quote}([\\w.]+)${quote} (?:is|are) not (?:supported|allowed|permitted)`, 'gi'),
  /unsupported value: ['"`](\w+)['"`]/gi,
  /"type"\s*:\s*"extra_forbidden"\s*,\s*"loc"\s*:\s*\[([^\]]*)\]/g,
]

/** A choice of tools that this service or this model does not know; the tools themselves may stay. */
const otherChoice =
  /does not support this tool_choice|support the provided ['"`]tool_choice|allowed string values for ['"`]tool_choice|input should be 'auto', 'none' or 'any'/i

/** Ollama, of a model that does not think. */
const thoughtless = /does not support thinking/i

export function createLessons(now: () => number): Lessons {
  const byModel = new Map<string, readonly (Lesson & { readonly until: number })[]>()

  return {
    apply(model, body) {
      const lessons = (byModel.get(model) ?? []).filter((lesson) => now() < lesson.until && concerns(lesson, body))
      return { body: lessons.reduce(applyLesson, body), applied: lessons }
    },
    learn(model, body, status, refusal) {
      if (status !== undefined && status !== 400 && status !== 404 && status !== 422) return false
      const lessons = readLessons(refusal, body)
      if (lessons.length === 0) return false
      const [oldest] = byModel.keys()
      if (byModel.size >= maxModels && oldest !== undefined) byModel.delete(oldest)
      const known = (byModel.get(model) ?? []).filter(({ until }) => now() < until)
      byModel.set(model, [...known, ...lessons.map((lesson) => ({ ...lesson, until: now() + knownForMs }))])
      return true
    },
  }
}

function readLessons(refusal: unknown, body: JsonObject): readonly Lesson[] {
  // Refusals inside refusals are JSON in strings.
  const text = (typeof refusal === 'string' ? refusal : JSON.stringify(refusal)).replace(/\\+(["'])/g, '$1')
  const named = namings.flatMap((naming) => [...text.matchAll(naming)].map(([, path = '']) => path))
  if (/unknown_parameter|unsupported_parameter|unsupported_value/.test(text)) {
    named.push(/"param"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? '')
  }
  if (otherChoice.test(text)) named.push('tool_choice')
  if (thoughtless.test(text)) named.push('reasoning_effort', 'think')
  const instead = /use ['"`](\w+)['"`] instead/i.exec(text)?.[1]
  const lessons = new Map<string, Lesson>()
  for (const path of named) {
    const field = path.match(/[A-Za-z_]\w*/g)?.at(-1)
    if (field === undefined || kept.has(field)) continue
    if (Object.hasOwn(body, field)) {
      lessons.set(field, {
        field,
        inMessages: false,
        ...(instead !== undefined && !Object.hasOwn(body, instead) && { instead }),
      })
    } else if (messagesOf(body).some((message) => Object.hasOwn(message, field))) {
      lessons.set(field, { field, inMessages: true })
    }
  }
  return [...lessons.values()]
}

function messagesOf(body: JsonObject): readonly JsonObject[] {
  return Array.isArray(body['messages']) ? body['messages'].filter(isJsonObject) : []
}

function concerns({ field, inMessages }: Lesson, body: JsonObject): boolean {
  return inMessages ? messagesOf(body).some((message) => Object.hasOwn(message, field)) : Object.hasOwn(body, field)
}

function applyLesson(body: JsonObject, { field, inMessages, instead }: Lesson): JsonObject {
  if (inMessages) return { ...body, messages: messagesOf(body).map((message) => without(message, field)) }
  const value = body[field]
  if (value === undefined) return body
  return instead === undefined ? without(body, field) : { ...without(body, field), [instead]: value }
}

function without(object: JsonObject, field: string): JsonObject {
  const { [field]: _, ...rest } = object as Record<string, Json>
  return rest
}
