import { fromBase64Url, toBase64Url } from '../../../bytes.ts'
import { isJsonObject, parseJson } from '../../../protocol/json.ts'
import { type ProviderMetadata, readMessageMetadata } from '../../../protocol/provider-metadata.ts'

/** Ours begin like this, so that nobody takes them for those of another maker. */
const mark = 'dragoman.'

/**
 * What ends a thought on this wire. It proves nothing; it carries what the service wants back with the message, if it wants
 * anything.
 */
export function sign(metadata: ProviderMetadata | undefined): string {
  return mark + toBase64Url(JSON.stringify(metadata ?? {}))
}

/** What was put into a signature of ours. Those of others are theirs. */
export function openSignature(signature: unknown): ProviderMetadata | undefined {
  if (typeof signature !== 'string' || !signature.startsWith(mark)) return undefined
  const kept = parseJson(fromBase64Url(signature.slice(mark.length)))
  return isJsonObject(kept) ? readMessageMetadata(kept) : undefined
}
