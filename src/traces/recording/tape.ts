import type { Beat, Payload } from '../exchange.ts'

/** A text that grows, up to a limit. What comes after it is only counted. */
export class Tape implements Payload {
  readonly #most: number
  #text = ''
  /** Of all that came. */
  length = 0

  constructor(most: number) {
    this.#most = most
  }

  push(piece: string): void {
    this.length += piece.length
    const room = this.#most - this.#text.length
    if (room > 0) this.#text += piece.length <= room ? piece : piece.slice(0, room)
  }

  /** A whole body. Of bytes that are cut the length is told in bytes, which are about as many. */
  put(body: string | Uint8Array): void {
    this.clear()
    if (typeof body === 'string') return this.push(body)
    const isCut = body.length > this.#most
    // A character that the limit cuts in two is left out.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    this.push(decoder.decode(body.subarray(0, this.#most), { stream: true }))
    if (isCut) this.length = body.length
  }

  /** As it was, of which so much was kept. */
  restore(text: string, length: number): void {
    this.#text = text
    this.length = length
  }

  clear(): void {
    this.restore('', 0)
  }

  /** Keeps how long it was. */
  forget(): void {
    this.#text = ''
  }

  get text(): string {
    return this.#text
  }

  get kept(): number {
    return this.#text.length
  }

  get isTruncated(): boolean {
    return this.length > this.#text.length
  }
}

/** More than this a picture cannot show. */
const mostBeats = 4096

/** What came when. What came in one millisecond is one beat; once there are too many, neighbours become one. */
export class Beats {
  #beats: Beat[]

  constructor(beats: readonly Beat[] = []) {
    this.#beats = [...beats]
  }

  add(ms: number, length: number): void {
    if (length === 0) return
    const last = this.#beats.at(-1)
    if (last !== undefined && last[0] >= ms) this.#beats[this.#beats.length - 1] = [last[0], last[1] + length]
    else this.#beats.push([ms, length])
    if (this.#beats.length >= mostBeats) this.#beats = halved(this.#beats)
  }

  toJSON(): readonly Beat[] {
    return this.#beats
  }

  get count(): number {
    return this.#beats.length
  }

  list(): readonly Beat[] {
    return [...this.#beats]
  }
}

function halved(beats: readonly Beat[]): Beat[] {
  return beats.flatMap(([ms, length], nth) =>
    nth % 2 === 0 ? [[ms, length + (beats[nth + 1]?.[1] ?? 0)] as const] : [],
  )
}
