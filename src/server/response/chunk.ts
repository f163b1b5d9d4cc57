import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Writes the pieces of one response. `response.write` makes four writes of a piece: its length, its text, and a line end
 * after each. Node gathers them and sends them one tick later. A piece of an answer is small and there is one for every
 * read, so here it is framed by hand and leaves at once, in one write (`bench/gateway`: one event a read). The head, the end
 * and its trailers are Node's as ever.
 */
export class ChunkWriter {
  /** Whatever is written to it is body: the head has gone before, and the response is its turn. */
  #line: Socket | undefined
  readonly #response: ServerResponse
  #hasBegun = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** Gives back whose `drain` to wait for when the client reads too slowly. Not to be called after the end. */
  write(text: string): EventEmitter | undefined {
    // A chunk without bytes would be the end of the response.
    if (text === '') return undefined
    const line = this.#line
    if (line === undefined || !line.writable) return this.#writeByNode(text)
    const bytes = Buffer.byteLength(text)
    // To write ASCII as what it is spares the connection a conversion.
    const encoding = bytes === text.length ? 'latin1' : 'utf8'
    return line.write(`${sizeLine(bytes)}${text}\r\n`, encoding) ? undefined : line
  }

  /** Without a connection it waits for the response before it; HTTP/1.0 has no chunks. */
  #writeByNode(text: string): EventEmitter | undefined {
    const response = this.#response
    if (response.destroyed) return undefined
    const { socket } = response
    if (this.#hasBegun && socket?.writable && response.chunkedEncoding) {
      this.#line = socket
      return this.write(text)
    }
    this.#hasBegun = true
    return response.write(text) ? undefined : response
  }
}

const sizeLines: string[] = Array.from({ length: 1024 }, (_, bytes) => `${bytes.toString(16)}\r\n`)

function sizeLine(bytes: number): string {
  return sizeLines[bytes] ?? `${bytes.toString(16)}\r\n`
}
