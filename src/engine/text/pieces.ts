const piecesPerBlock = 256
const blockLength = 1024

/**
 * Text that arrives in small pieces. They are joined into blocks: a string grown by a character at a time would cost the
 * collector forty bytes for each of them.
 */
export class Pieces {
  length = 0
  readonly #blocks: string[] = []
  #pieces: string[] = []

  push(piece: string): void {
    const { length } = piece
    if (length === 0) return
    this.length += length
    if (length >= blockLength) {
      this.#join()
      this.#blocks.push(piece)
    } else if (this.#pieces.push(piece) === piecesPerBlock) this.#join()
  }

  /** Takes off the last block. */
  pop(): string {
    this.#join()
    const block = this.#blocks.pop() ?? ''
    this.length -= block.length
    return block
  }

  /** The last `length` characters. */
  tail(length: number): string {
    this.#join()
    let from = this.#blocks.length
    let surplus = -length
    while (surplus < 0 && from > 0) surplus += this.#blocks[--from]?.length ?? 0
    return this.#blocks.slice(from).join('').slice(surplus)
  }

  toString(): string {
    return this.tail(this.length)
  }

  /** All of it, which is gone then. */
  take(): string {
    if (this.length === 0) return ''
    const text = this.toString()
    this.clear()
    return text
  }

  clear(): void {
    this.length = 0
    this.#blocks.length = 0
    this.#pieces = []
  }

  #join(): void {
    if (this.#pieces.length === 0) return
    this.#blocks.push(this.#pieces.join(''))
    this.#pieces = []
  }
}
