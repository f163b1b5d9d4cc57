import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { StreamPrinter } from '../doors/door.ts'
import type { Writable } from '../protocol/writable.ts'
import { createChunkWriter } from './chunk.ts'
import type { Outlet } from './exchange.ts'
import { headersOf, type Visit } from './visit.ts'

const beatMs = 15_000
const notice = 'x-dragoman-notice'

export function createEventStream(
  visit: Visit,
  clock: Clock,
  { contentType, beat: word }: Pick<StreamPrinter, 'contentType' | 'beat'>,
): Outlet {
  const { response } = visit
  /** HTTP/1.0 knows no chunks, and so no place after them. */
  const hasFoot = response.useChunkedEncodingByDefault
  let lastWrite = 0
  let cancelBeat: (() => void) | undefined

  const writeChunk = createChunkWriter(response)
  const put = (text: string): EventEmitter | undefined => {
    visit.recording?.write(text)
    return writeChunk(text)
  }

  const beat = (): void => {
    const idleMs = clock.now() - lastWrite
    if (idleMs >= beatMs) {
      if (word !== undefined && !(response.writableNeedDrain || response.socket?.writableNeedDrain)) put(word)
      lastWrite = clock.now()
    }
    const restMs = beatMs - (clock.now() - lastWrite)
    cancelBeat = clock.after(Math.min(restMs, beatMs), beat)
  }

  const begin = (): void => {
    stream.begun = true
    visit.recording?.answer(contentType)
    response.writeHead(200, {
      ...headersOf(visit),
      'content-type': contentType,
      ...(hasFoot && { trailer: notice }),
      'x-accel-buffering': 'no',
    })
    cancelBeat = clock.after(beatMs, beat)
    response.once('close', () => cancelBeat?.())
  }

  const stream: Writable<Outlet> = {
    begun: false,
    hold() {
      if (word === undefined || stream.begun || response.destroyed) return
      begin()
      lastWrite = clock.now()
      put(word)
    },
    write(text) {
      if (response.destroyed) return undefined
      if (!stream.begun) begin()
      lastWrite = clock.now()
      const full = put(text)
      return full === undefined ? undefined : drained(full, response)
    },
    end(text) {
      cancelBeat?.()
      if (response.destroyed) return
      if (!stream.begun) begin()
      // What is found out too late for the head of a stream stands at its foot.
      const told = visit.trail.notice()
      if (told !== undefined && hasFoot) response.addTrailers({ [notice]: told })
      visit.recording?.write(text)
      response.end(text)
    },
  }
  return stream
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
