import { createParser } from 'eventsource-parser'
import { GatewayError } from '../errors.ts'

/** No honest event is longer: a model that loops inside one would otherwise fill the memory. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024

/** Bytes of an event stream, cut anywhere, to the data of its events. Comments are dropped. */
export interface SseCutter {
  /** The events these bytes complete, in order. Throws `upstream_malformed` when an event outgrows the limit. */
  push(bytes: Uint8Array): readonly string[]
  /** The event that was still open when the stream ended: real services end with `data: [DONE]` and no blank line. */
  end(): readonly string[]
  readonly bytes: number
  /** Still 0 at the end although `bytes` is not: this was no event stream (HTML, NDJSON), which the parser cannot tell. */
  readonly events: number
}

export function createSseCutter(maxBufferSize = MAX_EVENT_CHARACTERS): SseCutter {
  const decoder = new TextDecoder()
  let cut: string[] = []
  let bytes = 0
  let events = 0

  const parser = createParser({
    maxBufferSize,
    onEvent: (event) => {
      events += 1
      cut.push(event.data)
    },
    onError: (error) => {
      // Unknown fields and odd `retry:` values are to be ignored, as the specification says.
      if (error.type !== 'max-buffer-size-exceeded') return
      throw new GatewayError('upstream_malformed', `The upstream sent one event of over ${maxBufferSize} characters.`)
    },
  })

  function feed(text: string): readonly string[] {
    parser.feed(text)
    const complete = cut
    cut = []
    return complete
  }

  return {
    push(chunk) {
      bytes += chunk.byteLength
      return feed(decoder.decode(chunk, { stream: true }))
    },
    end() {
      return feed(`${decoder.decode()}\n\n`)
    },
    get bytes() {
      return bytes
    },
    get events() {
      return events
    },
  }
}
