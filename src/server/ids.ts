const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on would make the first letters likelier than the last. */
const fair = 256 - (256 % alphabet.length)

/** The prefix and 24 random letters and digits: unguessable, and unique across turns and processes. */
export function createRandomId(prefix: string): string {
  let id = ''
  while (id.length < 24) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < fair && id.length < 24) id += alphabet[byte % alphabet.length]
    }
  }
  return prefix + id
}
