import { Chunks } from './chunks.ts'
import { ConnectionLost, HttpFault } from './fault.ts'
import { type ResponseHead, readHead } from './head.ts'

/** As Node's own limit. */
const MAX_HEAD = 16 * 1024
/** Interim responses that may come before one. */
const MAX_INTERIM = 32

const blankLine = Buffer.from('\r\n\r\n')
const LF = 10

/** Is told what a response says. */
export interface Listener {
  onHead(head: ResponseHead): void
  /** All of the body that one read brought, in one piece. The bytes are lent: they are overwritten by the next read. */
  onBody(bytes: Buffer): void
  onEnd(): void
}

/** Reads the response to one request, out of the bytes of a connection. */
export class ResponseReader {
  readonly #listener: Listener
  #held: Buffer | undefined
  #interim = 0
  #head: ResponseHead | undefined
  #chunks: Chunks | undefined
  /** Bytes of the body to come, where that is known. */
  #left = 0
  /** The response is complete. */
  isOver = false
  /** Bytes came after it that belong to nothing. */
  hasSurplus = false
  /** Anything came at all. */
  hasBegun = false

  constructor(listener: Listener) {
    this.#listener = listener
  }

  get isKept(): boolean {
    return this.isOver && !this.hasSurplus && this.#head?.isKept === true
  }

  get keptMs(): number | undefined {
    return this.#head?.keptMs
  }

  /** Takes the first `length` bytes. Throws an `HttpFault` for what is no response. Changes the bytes. */
  push(bytes: Buffer, length = bytes.length): void {
    this.hasBegun = true
    if (this.#head !== undefined) this.#pushBody(bytes, 0, length)
    else this.#pushHead(bytes.subarray(0, length))
  }

  /** The connection has ended: that may be the end of the response. */
  close(): void {
    if (this.#head?.framing !== 'close') throw new ConnectionLost('CONNECTION_CLOSED', 'the model server hung up')
    this.#finish()
  }

  #pushHead(read: Buffer): void {
    const bytes = this.#held === undefined ? read : Buffer.concat([this.#held, read])
    /** What was held was looked through, up to the beginning of a blank line. */
    let looked = Math.max(0, bytes.length - read.length - blankLine.length)
    this.#held = undefined
    let at = 0
    for (;;) {
      const end = bytes.indexOf(blankLine, looked)
      if ((end === -1 ? bytes.length : end) - at > MAX_HEAD) throw new HttpFault('the headers are too large')
      if (end === -1) return this.#hold(bytes, at, looked)
      const head = readHead(bytes.toString('latin1', at, end))
      at = end + blankLine.length
      looked = at
      if (head.status >= 200) return this.#begin(head, bytes, at)
      if (++this.#interim > MAX_INTERIM) throw new HttpFault('too many interim responses')
    }
  }

  /** Until the rest of the head comes. What cannot become one is told now: its rest may never come. */
  #hold(bytes: Buffer, at: number, looked: number): void {
    const beginning = 'HTTP/1.'
    const length = Math.min(beginning.length, bytes.length - at)
    if (bytes.toString('latin1', at, at + length) !== beginning.slice(0, length))
      throw new HttpFault('it speaks no HTTP/1.1')
    for (let line = bytes.indexOf(LF, looked); line !== -1; line = bytes.indexOf(LF, line + 1)) {
      if (bytes[line - 1] !== 13) throw new HttpFault('a header line is malformed')
    }
    this.#held = Buffer.from(bytes.subarray(at))
  }

  #begin(head: ResponseHead, bytes: Buffer, at: number): void {
    this.#head = head
    if (head.framing === 'chunked') this.#chunks = new Chunks()
    else if (head.framing !== 'close') this.#left = head.framing
    this.#listener.onHead(head)
    this.#pushBody(bytes, at, bytes.length)
  }

  #pushBody(bytes: Buffer, at: number, length: number): void {
    const chunks = this.#chunks
    if (this.isOver) {
      this.hasSurplus ||= length > at
    } else if (chunks !== undefined) {
      this.hasSurplus = chunks.take(bytes, at, length) < length
      if (chunks.end > chunks.start) this.#listener.onBody(bytes.subarray(chunks.start, chunks.end))
      if (chunks.isOver) this.#finish()
    } else if (this.#head?.framing === 'close') {
      if (length > at) this.#listener.onBody(bytes.subarray(at, length))
    } else {
      const end = Math.min(length, at + this.#left)
      this.hasSurplus = end < length
      this.#left -= end - at
      if (end > at) this.#listener.onBody(bytes.subarray(at, end))
      if (this.#left === 0) this.#finish()
    }
  }

  #finish(): void {
    this.isOver = true
    this.#listener.onEnd()
  }
}
