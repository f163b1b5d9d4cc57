import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import type { StreamPrinter } from '../../doors/door.ts'
import type { Recording } from '../../traces/recording/recording.ts'
import { headersOf, type Visit } from '../visit.ts'
import { ChunkWriter } from './chunk.ts'
import type { Outlet } from './exchange.ts'

const beatMs = 15_000
const notice = 'x-dragoman-notice'
/** Times are counted from here: small numbers are kept in their place, others are an object each. */
const epoch = Date.now()

export function createEventStream(
  visit: Visit,
  clock: Clock,
  printer: Pick<StreamPrinter, 'contentType' | 'beat'>,
): Outlet {
  return new EventStream(visit, clock, printer)
}

class EventStream implements Outlet {
  begun = false
  readonly #writer: ChunkWriter
  readonly #recording: Recording | undefined
  readonly #clock: Clock
  #lastWrite = 0
  #room: Promise<void> | undefined
  /** Nobody is there to read. */
  #isGone = false
  #cancelBeat: (() => void) | undefined
  readonly #visit: Visit
  readonly #response: ServerResponse
  readonly #contentType: string
  readonly #beat: string | undefined
  /** HTTP/1.0 knows no chunks, and so no place after them. */
  readonly #hasFoot: boolean

  constructor(visit: Visit, clock: Clock, { contentType, beat }: Pick<StreamPrinter, 'contentType' | 'beat'>) {
    this.#writer = new ChunkWriter(visit.response)
    this.#recording = visit.recording
    this.#clock = clock
    this.#visit = visit
    this.#response = visit.response
    this.#contentType = contentType
    this.#beat = beat
    this.#hasFoot = visit.response.useChunkedEncodingByDefault
  }

  hold(): void {
    if (this.#beat === undefined || this.begun || this.#response.destroyed) return
    this.#begin()
    this.#put(this.#beat)
  }

  write(text: string): Promise<void> | undefined {
    if (this.#isGone) return undefined
    if (!this.begun) {
      if (this.#response.destroyed) return undefined
      this.#begin()
    }
    const full = this.#put(text)
    if (full === undefined) return undefined
    // Several answers of one request wait together.
    this.#room ??= drained(full, this.#response).then(() => {
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
    const told = this.#visit.trail.notice()
    if (told !== undefined && this.#hasFoot) response.addTrailers({ [notice]: told })
    this.#recording?.write(text)
    response.end(text)
  }

  #put(text: string): EventEmitter | undefined {
    this.#lastWrite = this.#now()
    this.#recording?.write(text)
    return this.#writer.write(text)
  }

  #now(): number {
    return this.#clock.now() - epoch
  }

  #begin(): void {
    this.#sendHead()
    const keepAlive = (): void => this.#keepAlive(keepAlive)
    this.#cancelBeat = this.#clock.after(beatMs, keepAlive)
    this.#response.once('close', () => {
      this.#isGone = true
      this.#cancelBeat?.()
    })
  }

  #sendHead(): void {
    this.begun = true
    this.#recording?.answer(this.#contentType)
    this.#response.writeHead(200, {
      ...headersOf(this.#visit),
      'content-type': this.#contentType,
      ...(this.#hasFoot && { trailer: notice }),
      'x-accel-buffering': 'no',
    })
  }

  /** A word in between where nothing has been said for a while. */
  #keepAlive(again: () => void): void {
    if (this.#now() - this.#lastWrite >= beatMs) {
      const { writableNeedDrain, socket } = this.#response
      if (this.#beat !== undefined && !(writableNeedDrain || socket?.writableNeedDrain)) this.#put(this.#beat)
      this.#lastWrite = this.#now()
    }
    const restMs = beatMs - (this.#now() - this.#lastWrite)
    this.#cancelBeat = this.#clock.after(Math.min(restMs, beatMs), again)
  }
}

/** Resolves when there is room again, or nobody to write to. */
function drained(full: EventEmitter, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      full.off('drain', go)
      response.off('close', go)
      resolve()
    }
    full.on('drain', go)
    response.on('close', go)
  })
}
