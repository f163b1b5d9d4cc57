import { isJsonObject, type Json } from '../../../protocol/json.ts'

/** JSON on one line with a space after each comma and colon, as Python writes it: what chat templates taught models to read. */
export function printJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(printJson).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${printJson(member)}`)
  return `{${members.join(', ')}}`
}
