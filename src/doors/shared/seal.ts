import { fromBase64Url, sha256Url, toBase64Url } from '../../bytes.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { ProviderMetadata } from '../../protocol/provider-metadata.ts'

/** What a model thought, and what its service wants back with that: all that clients only carry. */
export interface Sealed {
  readonly thoughts: string
  readonly message?: ProviderMetadata | undefined
  /** By the ids of the calls they belong to. */
  readonly calls?: Readonly<Record<string, ProviderMetadata>> | undefined
}

const mark = 'dragoman-1'

/**
 * The opaque text that clients bring back from turn to turn. It keeps no secret (the client has read the thoughts): it
 * tells our own copy, whole and unchanged, from what others wrote into the same field, and never claims to be another maker's.
 */
export function seal(sealed: Sealed): string {
  const text = JSON.stringify(sealed)
  return [mark, digestOf(text), toBase64Url(text)].join('.')
}

/** What was sealed; undefined when it is not ours, or not whole. */
export function unseal(text: unknown): Sealed | undefined {
  if (typeof text !== 'string' || !text.startsWith(`${mark}.`)) return undefined
  const [, digest, encoded = ''] = text.split('.')
  const json = fromBase64Url(encoded)
  const value = digest === digestOf(json) ? parseJson(json) : undefined
  if (!isJsonObject(value) || typeof value['thoughts'] !== 'string') return undefined
  const { message, calls } = value
  return {
    thoughts: value['thoughts'],
    ...(isJsonObject(message) && { message }),
    ...(isJsonObject(calls) && { calls: calls as Readonly<Record<string, JsonObject>> }),
  }
}

function digestOf(text: string): string {
  return sha256Url(text).slice(0, 16)
}
