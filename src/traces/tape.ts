import type { Beat } from './exchange.ts'

/** A text that grows, up to a limit. What comes after it is counted only. */
export class Tape {
  #text = ''
  readonly #most: number
  /** Of all that came. */
  length = 0

  constructor(most: number) {
    this.#most = most
  }

  push(piece: string): void {
    this.length += piece.length
    if (this.#text.length < this.#most) this.#text += piece
  }

  clear(): void {
    this.#text = ''
    this.length = 0
  }

  /** Keeps how long it was. */
  forget(): void {
    this.#text = ''
  }

  get kept(): number {
    return Math.min(this.#text.length, this.#most)
  }

  get text(): string {
    return this.#text.length > this.#most ? this.#text.slice(0, this.#most) : this.#text
  }

  get isTruncated(): boolean {
    return this.length > this.kept
  }
}

/** A text, or its beginning: a copy, because a slice would keep all of it in memory. */
export function keep(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le')
}

/** More than this a picture cannot show. */
const mostBeats = 4096

/** What came when. What came in one millisecond is one beat; once there are too many, neighbours become one. */
export class Beats {
  #at: number[] = []
  #lengths: number[] = []

  add(ms: number, length: number): void {
    if (length === 0) return
    const last = this.#at.length - 1
    if (last >= 0 && (this.#at[last] ?? 0) >= ms) this.#lengths[last] = (this.#lengths[last] ?? 0) + length
    else {
      this.#at.push(ms)
      this.#lengths.push(length)
      if (this.#at.length >= mostBeats) this.#halve()
    }
  }

  #halve(): void {
    const lengths = this.#lengths
    this.#at = this.#at.filter((_, place) => place % 2 === 0)
    this.#lengths = this.#at.map((_, place) => (lengths[place * 2] ?? 0) + (lengths[place * 2 + 1] ?? 0))
  }

  get size(): number {
    return this.#at.length * 16
  }

  get count(): number {
    return this.#at.length
  }

  list(): readonly Beat[] {
    return this.#at.map((ms, place) => [ms, this.#lengths[place] ?? 0])
  }
}
