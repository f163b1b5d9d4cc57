import type { Beat } from './exchange.ts'
import { pack, unpack } from './pack.ts'

/** A stretch of a text, in bytes it may share with others; places count its characters. */
interface Packed {
  readonly bytes: Uint8Array
  readonly from: number
  readonly to: number
}

/** A text this long is packed by itself. */
const packLength = 16_384
/** One that comes whole, such as a body, is kept as it is: the collector has one thing to look at, and nothing is copied. */
const wholeLength = 2_048
const nothing: readonly (Packed | string)[] = []

/**
 * A text that grows, up to a limit. What comes after it is counted only. Thousands of them are kept: as bytes, which the
 * collector need not look at, and not as the pieces they came in. That is most of what recording costs (`bench traces`).
 */
export class Tape {
  #tail = ''
  #packed: readonly (Packed | string)[] = nothing
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
    if (this.#tail === '' && isWhole(piece) && piece.length <= room) return this.#put(piece, piece.length)
    this.#tail += piece.length <= room ? piece : piece.slice(0, room)
    if (this.#tail.length >= packLength) this.#pack()
  }

  #pack(): void {
    const tail = this.#tail
    // The other half of this character is still to come.
    if (isHighSurrogate(tail.charCodeAt(tail.length - 1)) && this.kept < this.#most) return
    this.#put({ bytes: pack(tail), from: 0, to: tail.length }, tail.length)
  }

  #put(packed: Packed | string, length: number): void {
    this.#packed = this.#packed === nothing ? [packed] : [...this.#packed, packed]
    this.#packedLength += length
    this.#tail = ''
  }

  /** Nothing more comes: what is left of several becomes bytes at once. */
  static packAll(tapes: readonly Tape[]): void {
    let all = ''
    for (const tape of tapes) all += tape.#tail
    if (all === '') return
    const bytes = pack(all)
    let from = 0
    for (const tape of tapes) {
      const to = from + tape.#tail.length
      if (to > from) tape.#put({ bytes, from, to }, to - from)
      from = to
    }
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
    return this.#packed.map(textOf).join('') + this.#tail
  }

  get isTruncated(): boolean {
    return this.length > this.kept
  }
}

function isWhole(piece: string): boolean {
  return piece.length >= wholeLength && !isHighSurrogate(piece.charCodeAt(piece.length - 1))
}

function textOf(packed: Packed | string): string {
  return typeof packed === 'string' ? packed : unpack(packed.bytes).slice(packed.from, packed.to)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/** More than this a picture cannot show. */
const mostBeats = 4096

/** What came when. What came in one millisecond is one beat; once there are too many, neighbours become one. */
export class Beats {
  /** Times and lengths by turns: thousands of recordings are kept, so each has one array and not one for every beat. */
  #beats: number[] = []

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

  get size(): number {
    return this.#beats.length * 8
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
