import type { Reader } from '../engine/lean-reader.ts'
import type { ReaderOptions } from '../engine/options.ts'
import type { Event, FinishReason } from '../protocol/event.ts'
import { type Answer, fold } from '../protocol/fold.ts'
import type { ToolLike } from './tools.ts'

/** How an answer is read; only `tools` is needed. */
export interface ReadOptions extends Omit<ReaderOptions, 'tools' | 'newId' | 'dialect' | 'others'> {
  /** The tools the model may call, in the shape you have them. */
  readonly tools: readonly ToolLike[]
  /** Makes the id of a call. Default: `call_` and 24 random letters. */
  readonly newId?: (() => string) | undefined
}

/** What a stream may consist of: words, bytes of words, and how the answer ended where the service tells (`length`). */
export type Piece = string | Uint8Array | { readonly finish: FinishReason }

/** Anything words come from one after the other: an async generator, a `ReadableStream`, a list. */
export type PieceStream = AsyncIterable<Piece> | Iterable<Piece> | ReadableStream<Piece>

/** Reads a whole text at once. */
export function answerOf(reader: Reader, text: string, finish: FinishReason = 'stop'): Answer {
  return fold([...reader.push(text), ...reader.end(finish)])
}

/** Makes words of pieces, and remembers how the answer ended. */
function createDecoder() {
  const decoder = new TextDecoder()
  let finish: FinishReason = 'stop'
  return {
    decode(piece: Piece): string {
      if (typeof piece === 'string') return piece
      if (piece instanceof Uint8Array) return decoder.decode(piece, { stream: true })
      finish = piece.finish
      return ''
    },
    end: () => decoder.decode(),
    get finish() {
      return finish
    },
  }
}

/**
 * The events of an answer while it comes. A stream that breaks off ends the answer where it was, and its failure is thrown
 * after the last event. Leaving the loop cancels the stream.
 */
export async function* eventsOf(reader: Reader, stream: PieceStream): AsyncGenerator<Event, void> {
  const decoder = createDecoder()
  try {
    for await (const piece of piecesOf(stream)) {
      yield* reader.push(decoder.decode(piece))
      if (reader.done) break
    }
  } catch (thrown) {
    yield* reader.end('died')
    throw thrown
  }
  yield* reader.push(decoder.end())
  yield* reader.end(decoder.finish)
}

/** Not every browser can loop over a ReadableStream. */
export async function* piecesOf<T>(
  stream: AsyncIterable<T> | Iterable<T> | ReadableStream<T>,
): AsyncGenerator<T, void> {
  if (!('getReader' in stream)) {
    yield* stream
    return
  }
  const source = stream.getReader()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await source.read()
      isOver = done
      if (done) return
      yield value
    }
  } finally {
    if (!isOver) await source.cancel().catch(() => undefined)
    source.releaseLock()
  }
}

/** The same for pipes: words in, events out. */
export function transformOf(reader: Reader): TransformStream<Piece, Event> {
  const decoder = createDecoder()
  return new TransformStream<Piece, Event>({
    transform(piece, controller) {
      for (const event of reader.push(decoder.decode(piece))) controller.enqueue(event)
    },
    flush(controller) {
      for (const event of [...reader.push(decoder.end()), ...reader.end(decoder.finish)]) controller.enqueue(event)
    },
  })
}
