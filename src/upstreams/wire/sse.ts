import { createParser } from 'eventsource-parser'
import { GatewayError } from '../../errors.ts'
import type { Writable } from '../../protocol/writable.ts'

/** No honest event is longer: a model that loops inside one would otherwise fill the memory. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024

export interface NamedEvent {
  readonly event?: string | undefined
  readonly data: string
}

/** Bytes of an event stream, cut anywhere, to its events. Comments are dropped. */
export interface SseReader {
  /** The events these bytes complete, in order. Throws `upstream_malformed` when an event outgrows the limit. */
  push(bytes: Uint8Array): readonly NamedEvent[]
  /** The same of text, for those who look at it first. */
  pushText(text: string): readonly NamedEvent[]
  /** No event is open: what comes next begins one. */
  readonly isBetween: boolean
  /** The event that was still open when the stream ended: real services end with `data: [DONE]` and no blank line. */
  end(): readonly NamedEvent[]
  /** Still false at the end although there were bytes: this was no event stream (HTML, NDJSON), which the parser cannot tell. */
  readonly hasEvents: boolean
}

export function createSseReader(maxBufferSize = MAX_EVENT_CHARACTERS): SseReader {
  const decoder = new TextDecoder()
  let events: NamedEvent[] = []

  const parser = createParser({
    maxBufferSize,
    onEvent: (event) => events.push(event),
    onError(error) {
      // Unknown fields and odd `retry:` values are to be ignored, as the specification says.
      if (error.type !== 'max-buffer-size-exceeded') return
      const message = `The model server sent an event of more than ${maxBufferSize} characters.`
      throw new GatewayError('upstream_malformed', message)
    },
  })

  function pushText(text: string): readonly NamedEvent[] {
    if (text === '') return []
    reader.isBetween = text.endsWith('\n\n') || text.endsWith('\r\n\r\n')
    parser.feed(text)
    const complete = events
    events = []
    reader.hasEvents ||= complete.length > 0
    return complete
  }

  const reader: Writable<SseReader> = {
    isBetween: true,
    hasEvents: false,
    push: (bytes) => pushText(decoder.decode(bytes, { stream: true })),
    pushText,
    end: () => pushText(`${decoder.decode()}\n\n`),
  }
  return reader
}
