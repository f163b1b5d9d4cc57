import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Request } from '../../../protocol/request.ts'
import { printJson } from '../teach/listings/words.ts'

/**
 * A response format in words. Beside taught tools it cannot be left to the service: held to JSON, the model could not
 * write a call.
 */
export function sayFormat(format: Json | undefined): string {
  if (!isJsonObject(format)) return ''
  const schema = isJsonObject(format['json_schema']) ? format['json_schema']['schema'] : undefined
  const rule = 'When you answer without a call, the answer is one JSON object and nothing else, without a code fence'
  if (format['type'] === 'json_object') return `${rule}.`
  if (format['type'] !== 'json_schema') return ''
  return isJsonObject(schema) ? `${rule}, and it fits this JSON Schema: ${printJson(schema)}` : `${rule}.`
}

const anyObject: JsonObject = { type: 'object' }

/** The schema of an answer in the client's format; undefined where any text will do. */
export function schemaOf(format: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(format)) return undefined
  if (format['type'] === 'json_object') return anyObject
  if (format['type'] !== 'json_schema') return undefined
  const named = format['json_schema']
  const schema = isJsonObject(named) ? named['schema'] : undefined
  return isJsonObject(schema) ? schema : anyObject
}

/** By these, services are told the form of a whole answer; one that has to have it cannot call. */
const formFields: ReadonlySet<string> = new Set([
  ...['grammar', 'json_schema', 'structured_outputs', 'structural_tag', 'regex', 'ebnf', 'format', 'guided_json'],
  ...['guided_regex', 'guided_choice', 'guided_grammar', 'guided_json_object'],
])

/** The fields of a request's own by which it tells the form of the whole answer. */
export function ownForms({ extra }: Pick<Request, 'extra'>): readonly string[] {
  return Object.keys(extra).filter((field) => formFields.has(field) && extra[field] !== null)
}

export function withoutForms(extra: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(extra).filter(([field]) => !formFields.has(field)))
}

const plainFormats: ReadonlySet<unknown> = new Set([undefined, 'text', 'json_object', 'json_schema'])

/** Whether the client tells the service itself what to hold the answer to, beyond JSON. */
export function hasOwnForm(request: Pick<Request, 'extra' | 'responseFormat'>): boolean {
  const { responseFormat: format } = request
  return ownForms(request).length > 0 || (isJsonObject(format) && !plainFormats.has(format['type']))
}
