import { isJsonObject, parseJson } from '../../protocol/json.ts'
import { type Keepsake, readMessageKeepsake } from '../../protocol/keepsake.ts'

/** Ours begin like this, so that nobody takes them for those of another maker. */
const mark = 'dragoman.'

/**
 * What ends a thought on this wire. It proves nothing; it carries what the service wants back with the message, if it wants
 * anything.
 */
export function sign(keepsake: Keepsake | undefined): string {
  return mark + Buffer.from(JSON.stringify(keepsake ?? {})).toString('base64url')
}

/** What was put into a signature of ours. Those of others are theirs. */
export function openSignature(signature: unknown): Keepsake | undefined {
  if (typeof signature !== 'string' || !signature.startsWith(mark)) return undefined
  const kept = parseJson(Buffer.from(signature.slice(mark.length), 'base64url').toString())
  return isJsonObject(kept) ? readMessageKeepsake(kept) : undefined
}
