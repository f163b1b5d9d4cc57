import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** The objects of a list. */
export function listAt(answer: JsonObject, field: string): readonly JsonObject[] {
  const list = answer[field]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

export function textAt(answer: JsonObject, field: string): string | undefined {
  const text = answer[field]
  return typeof text === 'string' ? text : undefined
}

/** Whether a list of models says whose they are. */
export function isOwnedBy(answer: JsonObject, owner: string): boolean {
  return listAt(answer, 'data').some((model) => model['owned_by'] === owner)
}

/** A context's tokens, where a number stands there. */
export function tokensAt(settings: unknown, field: string): { readonly tokens?: number } {
  const tokens = isJsonObject(settings) ? settings[field] : undefined
  return typeof tokens === 'number' && tokens > 0 ? { tokens } : {}
}
