const encoder = new TextEncoder()
const blockLength = 1 << 20
/** Blocks come free several at a time. */
const mostSpares = 4

interface Block {
  readonly bytes: Uint8Array
  used: number
  /** How much of what was written into it is still wanted. */
  users: number
}

/** Where something lies: a text, and bytes behind it. */
export interface Place {
  readonly block: Block
  readonly from: number
  /** Where the text ends. */
  readonly middle: number
  readonly to: number
}

/** Memory for what is written once, kept for a while, and given back in about the order it came. */
export interface Arena {
  write(text: string, pieces: readonly Uint8Array[]): Place
  free(place: Place): void
}

/**
 * Texts and bytes that come after each other lie in one block. A block is used again once all that lies in it was given
 * back: memory that is new costs more than writing to it does, and the collector has nothing to look at (`bench traces`).
 */
export function createArena(): Arena {
  let block = create(blockLength)
  const spares: Block[] = []

  function renew(least: number): void {
    block = least > blockLength ? create(least) : (spares.pop() ?? create(blockLength))
  }

  function encode(text: string, room: number): number | undefined {
    if (block.bytes.length - block.used < text.length + room) return undefined
    const { read, written } = encoder.encodeInto(text, block.bytes.subarray(block.used))
    return read === text.length && block.bytes.length - block.used >= written + room ? written : undefined
  }

  return {
    write(text, pieces) {
      const room = pieces.reduce((sum, { length }) => sum + length, 0)
      let written = encode(text, room)
      if (written === undefined) {
        const left = block
        // No character takes more than three bytes.
        renew(text.length * 3 + room)
        release(left)
        written = encode(text, room) ?? 0
      }
      const from = block.used
      const middle = from + written
      let to = middle
      for (const piece of pieces) {
        block.bytes.set(piece, to)
        to += piece.length
      }
      block.used = to
      block.users += 1
      return { block, from, middle, to }
    },
    free({ block: freed }) {
      freed.users -= 1
      release(freed)
    },
  }

  /** Keeps a block that nobody wants any more for what comes next, where there are not enough of them yet. */
  function release(freed: Block): void {
    if (freed.users > 0 || freed.bytes.length !== blockLength) return
    freed.used = 0
    if (freed !== block && spares.length < mostSpares) spares.push(freed)
  }
}

function create(length: number): Block {
  return { bytes: new Uint8Array(length), used: 0, users: 0 }
}
