import type { Beat } from '../exchange.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A text this long is packed while it grows. */
const packLength = 65_536
const nothing: readonly Uint8Array[] = []

/**
 * A text that grows, up to a limit. What comes after it is counted only. The pieces of a long one become bytes as it grows,
 * so that the collector need not look at each of them again and again.
 */
export class Tape {
  #tail = ''
  #packed: readonly Uint8Array[] = nothing
  #packedLength = 0
  readonly #most: number
  /** Of all that came. */
  length = 0

  constructor(most: number) {
    this.#most = most
  }

  push(piece: string): void {
    this.length += piece.length
    const room = this.#most - this.#packedLength - this.#tail.length
    if (room <= 0) return
    this.#tail += piece.length <= room ? piece : piece.slice(0, room)
    if (this.#tail.length >= packLength) this.#pack()
  }

  #pack(): void {
    const tail = this.#tail
    // The other half of this character is still to come.
    if (isHighSurrogate(tail.charCodeAt(tail.length - 1)) && this.kept < this.#most) return
    this.#packed = [...this.#packed, encoder.encode(tail)]
    this.#packedLength += tail.length
    this.#tail = ''
  }

  /** As it was, of which so much was kept. */
  restore(text: string, length: number): void {
    this.clear()
    this.#tail = text
    this.length = length
  }

  clear(): void {
    this.forget()
    this.length = 0
  }

  /** Keeps how long it was. */
  forget(): void {
    this.#tail = ''
    this.#packed = nothing
    this.#packedLength = 0
  }

  get kept(): number {
    return this.#packedLength + this.#tail.length
  }

  get text(): string {
    if (this.#packed === nothing) return this.#tail
    return this.#packed.map((bytes) => decoder.decode(bytes)).join('') + this.#tail
  }

  get isTruncated(): boolean {
    return this.length > this.kept
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** More than this a picture cannot show. */
const mostBeats = 4096

/** What came when. What came in one millisecond is one beat; once there are too many, neighbours become one. */
export class Beats {
  /** Times and lengths by turns: thousands of recordings are kept, so each has one array and not one for every beat. */
  #beats: number[]

  constructor(beats: readonly number[] = []) {
    this.#beats = [...beats]
  }

  add(ms: number, length: number): void {
    if (length === 0) return
    const beats = this.#beats
    const last = beats.length - 2
    if (last >= 0 && (beats[last] ?? 0) >= ms) beats[last + 1] = (beats[last + 1] ?? 0) + length
    else {
      beats.push(ms, length)
      if (beats.length >= mostBeats * 2) this.#beats = halved(beats)
    }
  }

  /** As the next of its kind takes them. */
  toJSON(): readonly number[] {
    return this.#beats
  }

  get count(): number {
    return this.#beats.length / 2
  }

  list(): readonly Beat[] {
    return Array.from({ length: this.count }, (_, nth) => [this.#beats[nth * 2] ?? 0, this.#beats[nth * 2 + 1] ?? 0])
  }
}

function halved(beats: readonly number[]): number[] {
  const half: number[] = []
  for (let at = 0; at < beats.length; at += 4) half.push(beats[at] ?? 0, (beats[at + 1] ?? 0) + (beats[at + 3] ?? 0))
  return half
}
