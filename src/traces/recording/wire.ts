import type { SharedBytes, WireBody } from '../../protocol/memory/shared-bytes.ts'
import type { Payload } from '../exchange.ts'

/** A body that went over a wire, up to a limit. It is kept as it is: to make a text of it, or to copy it, takes its time. */
export class Wire {
  readonly #most: number
  #body: WireBody = ''
  /** Of the whole body: of a text in characters, else in bytes. */
  length = 0

  constructor(most: number) {
    this.#most = most
  }

  put(body: WireBody): void {
    if (typeof body === 'string') {
      this.length = body.length
      this.#body = body.slice(0, this.#most)
      return
    }
    this.length = sizeOf(body)
    this.#body = this.length <= this.#most ? body : cut(body, this.#most)
  }

  get body(): WireBody {
    return this.#body
  }

  /** As it was, of which so much was kept. */
  restore(body: WireBody, length: number): void {
    this.#body = body
    this.length = length
  }

  /** Keeps how long it was. */
  forget(): void {
    this.#body = ''
  }

  /** One that is cut tells its whole length in bytes, which are about as many. */
  get payload(): Payload {
    const body = this.#body
    const text = typeof body === 'string' ? body : textOf(body)
    const isTruncated = sizeOf(body) < this.length
    return { text, length: isTruncated ? this.length : text.length, isTruncated }
  }
}

function sizeOf(body: WireBody): number {
  return typeof body === 'string' ? body.length : body.reduce((sum, piece) => sum + bytesOf(piece).length, 0)
}

function bytesOf(piece: SharedBytes | Uint8Array): Uint8Array {
  return piece instanceof Uint8Array ? piece : piece.bytes
}

function textOf(pieces: Exclude<WireBody, string>): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  // A character that the limit cut in two is left out.
  return pieces.map((piece) => decoder.decode(bytesOf(piece), { stream: true })).join('')
}

function cut(pieces: Exclude<WireBody, string>, most: number): Exclude<WireBody, string> {
  const kept: Uint8Array[] = []
  let room = most
  for (const piece of pieces) {
    if (room <= 0) break
    kept.push(bytesOf(piece).subarray(0, room))
    room -= bytesOf(piece).length
  }
  return kept
}
