import { hideInUrl } from '../../config/values/secrets.ts'
import type { Header } from '../exchange.ts'

const hidden = '[hidden]'

/** Headers that carry a key, a session or a password by their name. */
const secretHeader = /auth|cookie|token|secret|password|api-?key|(?:^|-)key$|credential|signature/i

/** Headers as they may be kept: in the order they came, secrets hidden. */
export function hideHeaders(rawHeaders: readonly string[]): readonly Header[] {
  const headers: Header[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const value = rawHeaders[at + 1] ?? ''
    headers.push({ name, value: secretHeader.test(name) ? hideValue(value) : value.replace(knownKeys, hidden) })
  }
  return headers
}

/** `Bearer [hidden]` says more than nothing. */
function hideValue(value: string): string {
  const scheme = /^(?:bearer|basic|digest|negotiate) +/i.exec(value)?.[0]
  return scheme === undefined ? hidden : `${scheme.trim()} ${hidden}`
}

/** A path with its query, whose values may be anything. */
export function hidePath(path: string): string {
  const prefix = 'http://host'
  return path.includes('?') || path.includes('#') ? hideInUrl(prefix + path).slice(prefix.length) : path
}

/** Keys as the well-known services write them; nothing else looks like these. */
const knownKeys = new RegExp(
  [
    String.raw`\b(?:sk|pk|rk)-[A-Za-z0-9_-]{20,}`,
    String.raw`\bgsk_[A-Za-z0-9]{20,}`,
    String.raw`\bxai-[A-Za-z0-9]{20,}`,
    String.raw`\bnvapi-[A-Za-z0-9_-]{20,}`,
    String.raw`\bhf_[A-Za-z0-9]{30,}`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{30,}`,
    String.raw`\bgithub_pat_[A-Za-z0-9_]{30,}`,
    String.raw`\bglpat-[A-Za-z0-9_-]{20,}`,
    String.raw`\bAIza[A-Za-z0-9_-]{30,}`,
    String.raw`\bAKIA[A-Z0-9]{16}\b`,
    String.raw`\bxox[abprs]-[A-Za-z0-9-]{20,}`,
    String.raw`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`,
  ].join('|'),
  'g',
)

export type Mask = (text: string) => string

/**
 * Blots secrets out of a text: those that are handed in, and what looks like a key of a well-known service. As many
 * characters come out as went in, so that places in the text stay what they are.
 */
export function createMask(secrets: readonly string[]): Mask {
  const spelt = [...new Set(secrets.filter(isTelling).flatMap(spellings))].sort((a, b) => b.length - a.length)
  return (text) => {
    let masked = text
    for (const secret of spelt) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, () => blot(secret))
    }
    return masked.replace(knownKeys, blot)
  }
}

/** As it may stand in a text, or in JSON. */
function spellings(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)]
}

/** Where no key is needed, clients send words like `none` or `ollama`, which stand in many texts. */
function isTelling(secret: string): boolean {
  return secret.length >= 16 || (secret.length >= 8 && /\d/.test(secret))
}

const blot = (secret: string): string => '•'.repeat(secret.length)
