import { HttpFault } from './fault.ts'
import { readFields } from './fields.ts'

const CR = 13
const LF = 10
const SEMICOLON = 59

/** Longer lines around chunks are no part of an answer. */
const MAX_LINE = 4096
const MAX_TRAILERS = 16 * 1024
/** 2^52 bytes: beyond that numbers are no longer exact. */
const MAX_DIGITS = 13

type Place = 'size' | 'extension' | 'size-end' | 'data' | 'data-end' | 'line-end' | 'trailers' | 'over'

/** Takes the bytes of an answer out of its chunks (RFC 9112, 7.1), wherever they are cut. */
export class Chunks {
  #place: Place = 'size'
  #size = 0
  #digits = 0
  #extension = 0
  #trailers = ''
  /** Where the last `take` put what stood in the chunks. */
  start = 0
  end = 0
  isOver = false

  /**
   * Moves what stands in the chunks together, to where the first of it stood, and gives back where the bytes end that
   * belong to the chunks. In place: they are lent, and to gather them elsewhere would cost every read an allocation.
   */
  take(bytes: Buffer, from: number, to = bytes.length): number {
    let at = from
    this.start = 0
    this.end = 0
    while (at < to && !this.isOver) {
      if (this.#place === 'data') at = this.#move(bytes, at, to)
      else this.#step(bytes[at++] ?? 0)
    }
    return at
  }

  #move(bytes: Buffer, at: number, to: number): number {
    const length = Math.min(this.#size, to - at)
    if (this.end === 0) this.start = this.end = at
    else bytes.copyWithin(this.end, at, at + length)
    this.end += length
    this.#size -= length
    if (this.#size === 0) this.#place = 'data-end'
    return at + length
  }

  #step(byte: number): void {
    switch (this.#place) {
      case 'size':
        return this.#readSize(byte)
      case 'extension':
        if (byte === CR) this.#place = 'size-end'
        else if ((byte < 32 && byte !== 9) || byte === 127) throw new HttpFault('a chunk extension is malformed')
        else if (++this.#extension > MAX_LINE) throw new HttpFault('a chunk extension is too long')
        return
      case 'size-end':
        if (byte !== LF) throw new HttpFault('a chunk size is malformed')
        this.#place = this.#size === 0 ? 'trailers' : 'data'
        this.#digits = 0
        this.#extension = 0
        return
      case 'data-end':
        if (byte !== CR) throw new HttpFault('a chunk is longer than its size')
        this.#place = 'line-end'
        return
      case 'line-end':
        if (byte !== LF) throw new HttpFault('a chunk is longer than its size')
        this.#place = 'size'
        return
      default:
        return this.#readTrailers(byte)
    }
  }

  #readSize(byte: number): void {
    const digit = hexOf(byte)
    if (digit !== -1) {
      if (++this.#digits > MAX_DIGITS) throw new HttpFault('a chunk size is too large')
      this.#size = this.#size * 16 + digit
    } else if (this.#digits > 0 && byte === CR) this.#place = 'size-end'
    else if (this.#digits > 0 && byte === SEMICOLON) this.#place = 'extension'
    else throw new HttpFault('a chunk size is malformed')
  }

  /** Up to the blank line that ends the answer. Nobody needs them, but they have to be fields. */
  #readTrailers(byte: number): void {
    this.#trailers += String.fromCharCode(byte)
    if (this.#trailers.length > MAX_TRAILERS) throw new HttpFault('the trailers are too long')
    if (byte !== LF) return
    if (this.#trailers === '\r\n') this.#finish()
    else if (this.#trailers.endsWith('\r\n\r\n')) {
      readFields(this.#trailers.slice(0, -4).split('\r\n'))
      this.#finish()
    }
  }

  #finish(): void {
    this.#place = 'over'
    this.isOver = true
  }
}

function hexOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
