import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Writes the pieces of one response. Gives back whose `drain` to wait for when the client reads too slowly. */
export type ChunkWriter = (text: string) => EventEmitter | undefined

/**
 * `response.write` makes four writes of a piece: its length, its text, and a line end after each. Node gathers them and
 * sends them one tick later. A piece of an answer is small and there is one for every read, so here it is framed by hand and
 * leaves at once, in one write (`bench/gateway`: one event a read). The head, the end and its trailers are Node's as ever.
 */
export function createChunkWriter(response: ServerResponse): ChunkWriter {
  /** The head has gone before, so that whatever is written to the connection is body. */
  let hasBegun = false

  return (text) => {
    // A chunk without bytes would be the end of the response.
    if (text === '') return undefined
    const { socket } = response
    // Without a connection it waits for the response before it; HTTP/1.0 has no chunks.
    if (!hasBegun || socket === null || !socket.writable || !response.chunkedEncoding) {
      hasBegun = true
      return response.write(text) ? undefined : response
    }
    const bytes = Buffer.byteLength(text)
    // To write ASCII as what it is spares the connection a conversion.
    const encoding = bytes === text.length ? 'latin1' : 'utf8'
    return socket.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding) ? undefined : socket
  }
}
