/** Bytes and digests wherever this runs: by Node's own means where they are, else in plain code. */

const native = typeof process === 'undefined' ? undefined : process.getBuiltinModule?.('node:crypto')
const encoder = new TextEncoder()

/** The SHA-256 digest of a text. */
export function sha256(text: string): Uint8Array {
  return native === undefined ? digestOf(encoder.encode(text)) : native.createHash('sha256').update(text).digest()
}

/** The SHA-256 digest of a text, in hexadecimal. */
export function sha256Hex(text: string): string {
  return Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The SHA-256 digest of a text, in the letters of URLs. */
export function sha256Url(text: string): string {
  return toBase64Url(sha256(text))
}

/** How many bytes a text has in UTF-8. */
export const byteLength: (text: string) => number =
  typeof Buffer === 'undefined' ? (text) => encoder.encode(text).byteLength : (text) => Buffer.byteLength(text)

const chunk = 0x2000

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += chunk) binary += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return btoa(binary)
}

/** Bytes, or a text in UTF-8, in base64 as URLs take it. */
export function toBase64Url(given: string | Uint8Array): string {
  const letters = toBase64(typeof given === 'string' ? encoder.encode(given) : given)
  return letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The text that was put into such letters; an empty one where they are none. */
export function fromBase64Url(letters: string): string {
  try {
    const binary = atob(letters.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
  } catch {
    // Not base64 as it is written.
    return ''
  }
}

const rounds = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)))
const start = Uint32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)))

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

/** SHA-256 as FIPS 180-4 has it. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0)
  const state = start.slice()
  const words = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i)
    mix(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) digest.setUint32(4 * i, word)
  return new Uint8Array(digest.buffer)
}

function mix(state: Uint32Array, words: Uint32Array): void {
  const word = (i: number): number => words[i] ?? 0
  for (let i = 16; i < 64; i++) {
    const [a, b] = [word(i - 15), word(i - 2)]
    const first = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const second = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    words[i] = word(i - 16) + first + word(i - 7) + second
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const one = (h + sum + ((e & f) ^ (~e & g)) + (rounds[i] ?? 0) + word(i)) | 0
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + value
}
