import { isJsonObject, type Json, type JsonObject } from './json.ts'

/**
 * What a service puts beside a message or a call and wants back with it unchanged: signed or encrypted thoughts. By wire
 * name; only that service reads it.
 */
export type ProviderMetadata = JsonObject

const ofMessages = [
  ...['reasoning_details', 'thinking_blocks', 'reasoning_opaque', 'reasoning_signature', 'reasoning_encrypted_content'],
  ...['extra_content', 'thought_signature'],
]
const ofCalls = ['extra_content', 'thought_signature', 'provider_specific_fields']

export function readMessageMetadata(message: JsonObject): ProviderMetadata | undefined {
  return pick(message, ofMessages)
}

/** Some put it beside the name, into the function. */
export function readCallMetadata(call: JsonObject): ProviderMetadata | undefined {
  const outer = pick(call, ofCalls)
  const inner = isJsonObject(call['function']) ? pick(call['function'], ofCalls) : undefined
  return inner === undefined ? outer : { ...outer, function: inner }
}

/** A call on the wire with its metadata. */
export function withMetadata(call: JsonObject, metadata: ProviderMetadata | undefined): JsonObject {
  if (metadata === undefined) return call
  const { function: inner, ...outer } = metadata as { readonly function?: Json } & JsonObject
  const made = call['function']
  return { ...outer, ...call, ...(isJsonObject(inner) && isJsonObject(made) && { function: { ...inner, ...made } }) }
}

function pick(object: JsonObject, names: readonly string[]): ProviderMetadata | undefined {
  let found: Record<string, Json> | undefined
  for (const name of names) {
    const value = object[name]
    if (value === undefined || value === null || value === '') continue
    found ??= {}
    found[name] = value
  }
  return found
}

/** Joins two pieces: lists grow, of everything else the later counts. */
export function joinMetadata(first: ProviderMetadata | undefined, second: ProviderMetadata): ProviderMetadata {
  if (first === undefined) return second
  const joined = Object.entries(second).map(([name, value]): [string, Json] => {
    const before = Object.hasOwn(first, name) ? first[name] : undefined
    if (Array.isArray(before) && Array.isArray(value)) return [name, joinLists(before, value)]
    return [name, isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value]
  })
  return { ...first, ...Object.fromEntries(joined) }
}

/** The texts a thought is streamed in. */
const growing: ReadonlySet<string> = new Set(['text', 'summary', 'thinking', 'data'])

/** Pieces of one thought, known by its kind and place, are one thought again. */
function joinLists(first: readonly Json[], second: readonly Json[]): readonly Json[] {
  const joined = [...first]
  for (const piece of second) {
    const last = joined.at(-1)
    if (isJsonObject(last) && isJsonObject(piece) && isSame(last, piece)) joined[joined.length - 1] = grow(last, piece)
    else joined.push(piece)
  }
  return joined
}

function isSame(first: JsonObject, second: JsonObject): boolean {
  if (first['type'] !== second['type'] || first['index'] !== second['index']) return false
  // Where places are not told, a signature ends a thought.
  return first['index'] !== undefined || !('signature' in first)
}

function grow(first: JsonObject, second: JsonObject): JsonObject {
  const grown = Object.entries(second).flatMap(([name, value]): [string, Json][] => {
    const before = first[name]
    if (growing.has(name) && typeof before === 'string' && typeof value === 'string') return [[name, before + value]]
    return value === null && before !== undefined ? [] : [[name, value]]
  })
  return { ...first, ...Object.fromEntries(grown) }
}
