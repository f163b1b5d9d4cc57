const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Texts that come after each other lie in one block: an allocation for each would cost more than writing it does. */
const blockLength = 1 << 20
let block = new Uint8Array(0)
let used = 0

/** A text as UTF-8. It lives as long as the youngest text that lies in the same block. */
export function pack(text: string): Uint8Array {
  if (block.length - used < text.length) renew(text.length)
  let { read, written } = encoder.encodeInto(text, block.subarray(used))
  if (read < text.length) {
    // No character takes more than three bytes.
    renew(text.length * 3)
    ;({ read, written } = encoder.encodeInto(text, block))
  }
  const bytes = block.subarray(used, used + written)
  used += written
  return bytes
}

function renew(least: number): void {
  block = new Uint8Array(Math.max(blockLength, least))
  used = 0
}

export function unpack(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
