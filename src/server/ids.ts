const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on would make the first letters likelier than the last. */
const fair = 256 - (256 % alphabet.length)

/** Randomness costs by the question, not by the byte: it is asked for some hundred ids at a time. */
const block = new Uint8Array(8192)
let used = block.length

function randomByte(): number {
  if (used === block.length) {
    crypto.getRandomValues(block)
    used = 0
  }
  const byte = block[used] ?? 0
  // What an id was made of is not kept.
  block[used] = 0
  used += 1
  return byte
}

/** The prefix and 24 random letters and digits: unguessable, and unique across turns and processes. */
export function createRandomId(prefix: string): string {
  let id = prefix
  for (let letters = 0; letters < 24; ) {
    const byte = randomByte()
    if (byte >= fair) continue
    id += alphabet[byte % alphabet.length]
    letters += 1
  }
  return id
}
