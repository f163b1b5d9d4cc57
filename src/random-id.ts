const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 24
/** Bytes from here on would make the first letters likelier than the last. */
const fair = 256 - (256 % alphabet.length)

/** Random bytes that were not used yet: each fill costs more than the letters of an id. */
const pool = new Uint8Array(1024)
let used = pool.length

/** The prefix and 24 random letters and digits: unguessable, and unique across turns and processes. */
export function createRandomId(prefix: string): string {
  let letters = ''
  while (letters.length < length) {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    const byte = pool[used++] ?? fair
    if (byte < fair) letters += alphabet[byte % alphabet.length]
  }
  return prefix + letters
}
