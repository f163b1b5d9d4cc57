import { createParser } from 'eventsource-parser'
import { GatewayError } from '../../errors.ts'
import type { Writable } from '../../protocol/writable.ts'

/** No honest event is longer: a model that loops inside one would otherwise fill the memory. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024

/** Bytes of an event stream, cut anywhere, to its events. Comments are dropped. */
export interface SseCutter<Cut> {
  /** The events these bytes complete, in order. Throws `upstream_malformed` when an event outgrows the limit. */
  push(bytes: Uint8Array): readonly Cut[]
  /** The same of text: with `decode`, for those who look at it first. */
  pushText(text: string): readonly Cut[]
  decode(bytes: Uint8Array): string
  /** No event is open: what comes next begins one. */
  readonly isBetween: boolean
  /** The event that was still open when the stream ended: real services end with `data: [DONE]` and no blank line. */
  end(): readonly Cut[]
  readonly bytes: number
  /** Still 0 at the end although `bytes` is not: this was no event stream (HTML, NDJSON), which the parser cannot tell. */
  readonly events: number
}

export interface NamedEvent {
  readonly event?: string | undefined
  readonly data: string
}

/** An event of one line of data and nothing else. */
const oneLine = /^data: ?[^\r\n ][^\r\n]*\n\n$/
const DATA = 'data:'.length
const SPACE = 0x20

const streaming = { stream: true }
/** For text that neither begins nor ends inside a character: several times as fast as one that remembers. */
const forgetful = new TextDecoder('utf-8', { ignoreBOM: true })
const forgetfulFirst = new TextDecoder()

/** Cuts into what `read` makes of each event, for services that name theirs. */
export function createEventCutter<Cut>(
  read: (event: NamedEvent) => Cut,
  maxBufferSize = MAX_EVENT_CHARACTERS,
): SseCutter<Cut> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  /** The last character was all there. */
  let isWhole = true
  let cut: Cut[] = []

  const parser = createParser({
    maxBufferSize,
    onEvent: (event) => {
      cutter.events += 1
      cut.push(read(event))
    },
    onError: (error) => {
      // Unknown fields and odd `retry:` values are to be ignored, as the specification says.
      if (error.type !== 'max-buffer-size-exceeded') return
      throw new GatewayError(
        'upstream_malformed',
        `The model server sent an event of more than ${maxBufferSize} characters.`,
      )
    },
  })

  function feed(text: string): readonly Cut[] {
    // Mostly it is an event of one line, whole: to read that takes no parser (`bench/gateway`: short answers).
    if (cutter.isBetween && text.length <= maxBufferSize && oneLine.test(text)) {
      cutter.events += 1
      return [read({ data: text.slice(text.charCodeAt(DATA) === SPACE ? DATA + 1 : DATA, -2) })]
    }
    cutter.isBetween = text.endsWith('\n\n') || text.endsWith('\r\n\r\n')
    parser.feed(text)
    const complete = cut
    cut = []
    return complete
  }

  function decode(chunk: Uint8Array): string {
    const last = chunk.at(-1)
    if (last === undefined) return ''
    const isFirst = cutter.bytes === 0
    const wasWhole = isWhole
    cutter.bytes += chunk.byteLength
    isWhole = last < 0x80
    if (wasWhole && isWhole) return (isFirst ? forgetfulFirst : forgetful).decode(chunk)
    decoder ??= new TextDecoder('utf-8', { ignoreBOM: !isFirst })
    return decoder.decode(chunk, streaming)
  }

  const cutter: Writable<SseCutter<Cut>> = {
    bytes: 0,
    events: 0,
    isBetween: true,
    push: (chunk) => feed(decode(chunk)),
    pushText: feed,
    decode,
    end: () => feed(`${decoder?.decode() ?? ''}\n\n`),
  }
  return cutter
}
