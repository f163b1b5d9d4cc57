import type { ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import type { StreamPrinter } from '../../doors/door.ts'
import type { ResponseWriter } from '../../doors/serving/answer.ts'
import { headersOf, type RequestContext } from '../request-context.ts'

const beatMs = 15_000
const notice = 'x-dragoman-notice'

/** A response that is written as the answer comes, each batch in one write. */
export class EventStream implements ResponseWriter {
  begun = false
  #lastWrite = 0
  #room: Promise<void> | undefined
  #cancelBeat: (() => void) | undefined
  readonly #context: RequestContext
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #printer: Pick<StreamPrinter, 'contentType' | 'beat'>
  /** HTTP/1.0 knows no chunks, and so no place after them. */
  readonly #hasFoot: boolean

  constructor(context: RequestContext, clock: Clock, printer: Pick<StreamPrinter, 'contentType' | 'beat'>) {
    this.#context = context
    this.#response = context.response
    this.#clock = clock
    this.#printer = printer
    this.#hasFoot = context.response.useChunkedEncodingByDefault
  }

  hold(): void {
    const { beat } = this.#printer
    if (beat !== undefined && !this.begun) void this.write(beat)
  }

  write(text: string): Promise<void> | undefined {
    const response = this.#response
    if (response.destroyed || text === '') return undefined
    if (!this.begun) this.#begin()
    this.#lastWrite = this.#clock.now()
    this.#context.recording?.write(text)
    if (response.write(text)) return undefined
    // Several answers of one request wait together.
    this.#room ??= drained(response).then(() => {
      this.#room = undefined
    })
    return this.#room
  }

  end(text: string): void {
    const response = this.#response
    this.#cancelBeat?.()
    if (response.destroyed) return
    if (!this.begun) this.#sendHead()
    // What is found out too late for the head of a stream stands at its foot.
    const told = this.#context.changeLog.notice()
    if (told !== undefined && this.#hasFoot) response.addTrailers({ [notice]: told })
    this.#context.recording?.write(text)
    response.end(text)
  }

  #begin(): void {
    this.#sendHead()
    this.#beatAfter(beatMs)
    this.#response.once('close', () => this.#cancelBeat?.())
  }

  #sendHead(): void {
    const { contentType } = this.#printer
    this.begun = true
    this.#context.recording?.answer(contentType)
    this.#response.writeHead(200, {
      ...headersOf(this.#context),
      'content-type': contentType,
      ...(this.#hasFoot && { trailer: notice }),
      'x-accel-buffering': 'no',
    })
  }

  /** A word in between where nothing has been said for a while. */
  #beatAfter(restMs: number): void {
    this.#cancelBeat = this.#clock.after(restMs, () => {
      const silentMs = this.#clock.now() - this.#lastWrite
      if (silentMs < beatMs) return this.#beatAfter(beatMs - silentMs)
      const { beat } = this.#printer
      if (beat !== undefined && !this.#response.writableNeedDrain) void this.write(beat)
      this.#beatAfter(beatMs)
    })
  }
}

/** Resolves when there is room again, or the client has gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
}
