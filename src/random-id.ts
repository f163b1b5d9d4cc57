const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 24
/** Bytes from here on would make the first letters likelier than the last. */
const fair = 256 - (256 % alphabet.length)

/** The prefix and 24 random letters and digits: unguessable, and unique across turns and processes. */
export function createRandomId(prefix: string): string {
  let letters = ''
  while (letters.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < fair && letters.length < length) letters += alphabet[byte % alphabet.length]
  }
  return prefix + letters
}
