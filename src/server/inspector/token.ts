import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Opens the inspector, and nothing else. Made anew whenever the gateway starts. */
export interface Token {
  /** As it stands in the address people are given. */
  readonly text: string
  is(given: string): boolean
}

/** `text`: one that was made already, for gateways that are one. */
export function createToken(text = randomBytes(24).toString('base64url')): Token {
  const known = digest(text)
  return { text, is: (given) => timingSafeEqual(digest(given), known) }
}

/** Texts of any length become ones of the same: comparing them takes the same time, whatever they are. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Browsers send cookies of one port to all others of the host, so the name tells them apart. */
export function cookieName(port: number): string {
  return `dragoman_inspector_${port}`
}

/** The cookie of those who came with a key of the API instead. */
export function keyCookieName(port: number): string {
  return `dragoman_key_${port}`
}

/** The values of a cookie: there may be several of one name. */
export function readCookies(header: string | undefined, name: string): readonly string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.split('=', 2)
    return key.trim() === name ? [value.trim()] : []
  })
}
