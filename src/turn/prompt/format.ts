import { isJsonObject, type Json } from '../../protocol/json.ts'
import { printJson } from './json-words.ts'

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
