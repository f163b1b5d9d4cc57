import { joinBytes } from '../../bytes.ts'
import { GatewayError } from '../../errors.ts'
import type { Usage } from '../../protocol/event.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import type { Writable } from '../../protocol/writable.ts'
import { complains } from '../refusals/complaints.ts'
import { redact } from '../refusals/redact.ts'
import { BadGeneration, type UpstreamEvent } from '../upstream.ts'
import { createFrames } from '../wire/frames.ts'
import { tooLarge } from '../wire/speech.ts'
import { createEventCutter, type NamedEvent } from '../wire/sse.ts'
import { readChunk, readFinish } from './events.ts'
import { type Hole, textOfPiece, toHole, toPiece } from './pieces.ts'

const MAX_JSON_CHARACTERS = 128 * 1024 * 1024

/** How much of an answer that is none is shown. */
const MAX_SHOWN = 200

/** The body of a successful answer, from bytes to events. Usage and finish are kept for the end, where they come last. */
export interface AnswerReader {
  /** Adds what these bytes say to `into`; true when they said anything at all, comments not counting. */
  push(bytes: Uint8Array, into: UpstreamEvent[]): boolean
  /** The stream ended: adds the last words, or throws when it ended too early. */
  end(into: UpstreamEvent[]): void
  /** `[DONE]` came: nothing after it is read. */
  readonly done: boolean
  /** The service gave its finish reason: the answer is whole, whatever happens to the connection now. */
  readonly finished: boolean
}

/**
 * What the body is, is told by its first character and not by its content type, which services get wrong: `{` is one
 * JSON value, `<` is a web page, anything else is an event stream.
 */
export function createAnswerReader(
  upstream: string,
  classify: (body: unknown) => GatewayError,
  maxJson = MAX_JSON_CHARACTERS,
  maxEvent?: number,
): AnswerReader {
  const cutter = createEventCutter((event) => event, maxEvent)
  const frames = createFrames<Hole>()
  const decoder = new TextDecoder()
  let form: 'unknown' | 'sse' | 'json' = 'unknown'
  /** What came before anything could be seen: a line that begins with white space is no field, wherever it was cut. */
  let blank: Uint8Array = new Uint8Array(0)
  const jsonParts: string[] = []
  /** For the one who has to find out what that was. */
  let beginning = ''
  let jsonCharacters = 0
  let finishWord: string | undefined
  let hasBroken = false
  let usage: Usage | undefined
  const told = new Map<string, string>()
  let hasChoice = false
  let hasSpoken = false
  /** Words that came instead of an answer, should none come. */
  let complaint: JsonObject | undefined

  function malformed(what: string): GatewayError {
    return new GatewayError('upstream_malformed', `${upstream}: ${what}`)
  }

  function readObject(value: unknown, into: UpstreamEvent[]): void {
    if (!isJsonObject(value)) throw malformed('the response stream holds an event that is not a JSON object.')
    const complaining = complains(value)
    if (complaining === 'surely') throw classify(value)
    if (complaining === 'maybe') complaint ??= value
    const reading = readChunk(value)
    hasBroken = isLostError(value)
    hasChoice ||= form === 'json' ? reading.holds === 'message' : reading.holds !== 'nothing'
    hasSpoken ||= reading.events.length > 0
    addRemarks(reading.remarks, into)
    for (const event of reading.events) into.push(event)
    usage = reading.usage ?? usage
    finishWord = reading.finish ?? finishWord
    reader.finished = finishWord !== undefined
    if (finishWord !== undefined && readFinish(finishWord) === 'failed') {
      throw new GatewayError('upstream_error', `${upstream}: the response broke off (finish reason "${finishWord}").`)
    }
  }

  /** Only what is new: most services repeat these with every chunk. */
  function addRemarks(remarks: JsonObject, into: UpstreamEvent[]): void {
    const fresh = Object.entries(remarks).filter(([name, value]) => {
      const json = JSON.stringify(value)
      const isNew = told.get(name) !== json
      told.set(name, json)
      return isNew
    })
    if (fresh.length === 0) return
    into.push({ type: 'remarks', fields: Object.fromEntries(fresh) })
    // They are part of the frame: in another one they would be news again.
    frames.forget()
  }

  function readEvent({ event = '', data }: NamedEvent, into: UpstreamEvent[]): void {
    const text = data.trim()
    if (reader.done) return
    if (failedEvent.test(event)) throw classify(toComplaint(text))
    if (text === '') return
    if (text === '[DONE]') {
      reader.done = true
      return
    }
    readObject(parse(text, 'the response stream holds an event that is not valid JSON.'), into)
  }

  /** What stands in the frame of the event before it is taken out of it; true when there was an event. */
  function readStream(text: string, into: UpstreamEvent[]): boolean {
    let at = 0
    let isHeard = false
    while (at < text.length && !reader.done) {
      // What a read before this one began is read to its end first.
      const isFresh = cutter.isBetween
      const said = isFresh ? frames.read(text, at) : undefined
      const { hole } = frames
      if (said !== undefined && hole !== undefined) {
        into.push(toPiece(hole, said))
        hasBroken = false
        at = frames.end
        isHeard = true
        continue
      }
      const end = text.indexOf('\n\n', at)
      if (end === -1) break
      const block = text.slice(at, end + 2)
      at = end + 2
      const before = into.length
      for (const event of cutter.pushText(block)) {
        readEvent(event, into)
        isHeard = true
      }
      const piece = isFresh && into.length === before + 1 ? into.at(-1) : undefined
      if (piece !== undefined && oneLine.test(block)) frames.learn(block, textOfPiece(piece), holeIn)
    }
    if (at === text.length) return isHeard
    for (const event of cutter.pushText(at === 0 ? text : text.slice(at))) {
      readEvent(event, into)
      isHeard = true
    }
    return isHeard
  }

  /** What an event says that differs from one before it in one string only; undefined where that is more than the string. */
  function holeIn(event: string, value: string): Hole | undefined {
    const parsed = parseJson(event.slice('data:'.length))
    if (!isJsonObject(parsed) || complains(parsed) !== undefined || isLostError(parsed)) return undefined
    const { events, finish, usage: figures } = readChunk(parsed)
    const [said] = events
    if (said === undefined || events.length > 1 || finish !== undefined || figures !== undefined) return undefined
    return toHole(said, value)
  }

  function parse(text: string, complaint: string): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new GatewayError('upstream_malformed', `${upstream}: ${complaint}`, { cause })
    }
  }

  /** One JSON value in the place of a stream: a completion, or a refusal in one of its many shapes. */
  function readWhole(text: string, into: UpstreamEvent[]): void {
    const value = parse(text, 'the response is neither an event stream nor JSON.')
    if (Array.isArray(value) && value.some((item) => isJsonObject(item) && complains(item) !== undefined)) {
      throw classify(value)
    }
    readObject(value, into)
    if (complaint !== undefined) throw classify(complaint)
  }

  function addJson(text: string): void {
    jsonParts.push(text)
    jsonCharacters += text.length
    if (jsonCharacters <= maxJson) return
    throw tooLarge(upstream)
  }

  const reader: Writable<AnswerReader> = {
    done: false,
    finished: false,
    push(read, into) {
      let bytes = read
      if (form === 'unknown') {
        const first = firstVisible(bytes)
        if (first === undefined) {
          blank = blankEnd(blank, bytes)
          return false
        }
        if (first === LESS_THAN) throw malformed('it answered with a web page instead of an event stream.')
        form = first === OPEN_BRACE || first === OPEN_BRACKET ? 'json' : 'sse'
        if (blank.length > 0) bytes = joinBytes([blank, bytes])
      }
      if (form === 'json') {
        addJson(decoder.decode(bytes, { stream: true }))
        return true
      }
      if (cutter.bytes < MAX_SHOWN) beginning += new TextDecoder().decode(bytes.subarray(0, MAX_SHOWN))
      return readStream(cutter.decode(bytes), into)
    },
    end(into) {
      if (form === 'json') {
        addJson(decoder.decode())
        readWhole(jsonParts.join(''), into)
        reader.done = true
      } else {
        for (const event of cutter.end()) if (!isCutOff(event)) readEvent(event, into)
        if (cutter.bytes > 0 && cutter.events === 0) {
          const shown = redact(beginning.trim().slice(0, MAX_SHOWN)).replace(/\s+/g, ' ')
          throw malformed(`the response is not an event stream${shown === '' ? '' : ` ("${shown}")`}.`)
        }
      }
      if (complaint !== undefined && finishWord === undefined) throw classify(complaint)
      if (reader.done && !hasChoice) throw malformed('the response contains no choices.')
      // Whoever says neither anything nor that it has finished has lost its answer on the way.
      if (finishWord === undefined && !(reader.done && hasSpoken)) {
        if (hasBroken) throw new BadGeneration('upstream_error', `${upstream}: ${lostWords}`, '')
        throw new GatewayError('upstream_truncated', `${upstream}: the stream ended before the response was complete.`)
      }
      if (usage) into.push({ type: 'usage', ...usage })
      if (finishWord === undefined) {
        into.push({ type: 'finish', reason: 'stop', assumed: true })
        return
      }
      const reason = readFinish(finishWord)
      if (reason === undefined) into.push({ type: 'note', kind: 'unknown_finish_reason', detail: finishWord })
      into.push({ type: 'finish', reason: reason === undefined || reason === 'failed' ? 'stop' : reason })
    },
  }
  return reader
}

/** An event of one line of data and nothing else. */
const oneLine = /^data:[^\n]*\n\n$/

/** The last event of a stream that ended in the middle of it: no word of the service's, right or wrong. */
function isCutOff({ data }: NamedEvent): boolean {
  return data.startsWith('{') && parseJson(data) === undefined
}

const lostWords =
  'its response broke off with an error that it does not report. A tool call that is cut off or malformed can cause this. Its log has the details.'

/** Ollama turns an error in its stream into a chunk of no model that says nothing. */
function isLostError({ model, choices }: JsonObject): boolean {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const delta = isJsonObject(choice) ? choice['delta'] : undefined
  return (
    model === '' && isJsonObject(delta) && Object.values(delta).every((said) => said === '' || said === 'assistant')
  )
}

/** How services name the event that is no part of an answer. */
const failedEvent = /(?:^|[._-])(?:error|exception|failed|failure)$/i

function toComplaint(text: string): unknown {
  const value = parseJson(text)
  return isJsonObject(value) || Array.isArray(value) ? value : { error: text }
}

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const LESS_THAN = 0x3c
const byteOrderMark = new Set([0xef, 0xbb, 0xbf])

/** Of any number of blanks, the last ones say all there is to say. */
const MAX_BLANK = 64

function blankEnd(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = joinBytes([before, bytes])
  return all.length <= MAX_BLANK ? all : all.subarray(-MAX_BLANK).filter((byte) => !byteOrderMark.has(byte))
}

function firstVisible(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => byte > 0x20 && !byteOrderMark.has(byte))
}
