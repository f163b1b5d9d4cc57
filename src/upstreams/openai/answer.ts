import { GatewayError } from '../../errors.ts'
import type { Usage } from '../../protocol/event.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import { complains } from '../refusals/complaints.ts'
import { redact } from '../refusals/redact.ts'
import { BadGeneration, type UpstreamEvent } from '../upstream.ts'
import { tooLarge } from '../wire/failures.ts'
import { Frame } from '../wire/frames.ts'
import { createSseReader, type NamedEvent, type SseReader } from '../wire/sse.ts'
import type { BodyReader } from '../wire/stream.ts'
import { type Hole, readChunk, readFinish, textOfPiece, toHole, toPiece } from './events.ts'

const MAX_JSON_CHARACTERS = 128 * 1024 * 1024

/** How much of an answer that is none is shown. */
const MAX_SHOWN = 200

/**
 * What the body is, is told by its first character and not by its content type, which services get wrong: `{` is one
 * JSON value, `<` is a web page, anything else is an event stream. Usage and finish are kept for the end.
 */
export class AnswerReader implements BodyReader {
  done = false
  finished = false
  #form: 'unknown' | 'sse' | 'json' = 'unknown'
  #hasBroken = false
  readonly #frame = new Frame<Hole>()
  readonly #sse: SseReader
  readonly #decoder = new TextDecoder()
  readonly #upstream: string
  readonly #classify: (body: unknown) => GatewayError
  readonly #maxJson: number
  /** What came before anything could be seen: a line that begins with white space is no field, wherever it was cut. */
  #blank = ''
  readonly #jsonParts: string[] = []
  /** For the one who has to find out what that was. */
  #beginning = ''
  #jsonCharacters = 0
  #finishWord: string | undefined
  #usage: Usage | undefined
  readonly #told = new Map<string, string>()
  #hasChoice = false
  #hasSpoken = false
  /** Words that came instead of an answer, should none come. */
  #complaint: JsonObject | undefined

  constructor(
    upstream: string,
    classify: (body: unknown) => GatewayError,
    maxJson = MAX_JSON_CHARACTERS,
    maxEvent?: number,
  ) {
    this.#upstream = upstream
    this.#classify = classify
    this.#maxJson = maxJson
    this.#sse = createSseReader(maxEvent)
  }

  push(bytes: Uint8Array, into: UpstreamEvent[]): boolean {
    let text = this.#decoder.decode(bytes, { stream: true })
    if (this.#form === 'unknown') {
      text = this.#blank + text
      const [first] = text.match(/\S/) ?? []
      if (first === undefined) {
        // Of any number of blanks, the last ones say all there is to say.
        this.#blank = text.slice(-MAX_BLANK)
        return false
      }
      if (first === '<') throw this.#malformed('it answered with a web page instead of an event stream.')
      this.#form = first === '{' || first === '[' ? 'json' : 'sse'
    }
    if (this.#form === 'sse') return this.#readStream(text, into)
    this.#addJson(text)
    return true
  }

  end(into: UpstreamEvent[]): void {
    const rest = this.#decoder.decode()
    if (this.#form === 'json') {
      this.#addJson(rest)
      this.#readWhole(this.#jsonParts.join(''), into)
      this.done = true
    } else {
      for (const event of [...this.#sse.pushText(rest), ...this.#sse.end()])
        if (!isCutOff(event)) this.#readEvent(event, into)
      if (!this.#sse.hasEvents && (this.#beginning !== '' || this.#blank !== '')) {
        const shown = redact(this.#beginning.trim().slice(0, MAX_SHOWN)).replace(/\s+/g, ' ')
        throw this.#malformed(`the response is not an event stream${shown === '' ? '' : ` ("${shown}")`}.`)
      }
    }
    if (this.#complaint !== undefined && this.#finishWord === undefined) throw this.#classify(this.#complaint)
    if (this.done && !this.#hasChoice) throw this.#malformed('the response contains no choices.')
    // Neither words nor a finish: the answer was lost on the way.
    if (this.#finishWord === undefined && !(this.done && this.#hasSpoken)) {
      if (this.#hasBroken) throw new BadGeneration('upstream_error', `${this.#upstream}: ${lostWords}`, '')
      const words = `${this.#upstream}: the stream ended before the response was complete.`
      throw new GatewayError('upstream_truncated', words)
    }
    if (this.#usage) into.push({ type: 'usage', ...this.#usage })
    if (this.#finishWord === undefined) {
      into.push({ type: 'finish', reason: 'stop', assumed: true })
      return
    }
    const reason = readFinish(this.#finishWord)
    if (reason === undefined) into.push({ type: 'note', kind: 'unknown_finish_reason', detail: this.#finishWord })
    into.push({ type: 'finish', reason: reason === undefined || reason === 'failed' ? 'stop' : reason })
  }

  /** What stands in the frame of the event before it is taken out of it; true when there was an event. */
  #readStream(text: string, into: UpstreamEvent[]): boolean {
    const frame = this.#frame
    if (this.#beginning.length < MAX_SHOWN) this.#beginning += text.slice(0, MAX_SHOWN)
    let hasEvents = false
    for (let at = 0; at < text.length && !this.done; ) {
      // An event that an earlier read began is read to its end first.
      const value = this.#sse.isBetween ? frame.read(text, at) : undefined
      if (value !== undefined && frame.kind !== undefined) {
        into.push(toPiece(frame.kind, value))
        this.#hasBroken = false
        at = frame.end
        hasEvents = true
        continue
      }
      const blank = text.indexOf('\n\n', at)
      const end = blank === -1 ? text.length : blank + 2
      if (this.#readPart(text.slice(at, end), into)) hasEvents = true
      at = end
    }
    return hasEvents
  }

  /** Up to the end of an event, or of what there is. */
  #readPart(text: string, into: UpstreamEvent[]): boolean {
    const isFresh = this.#sse.isBetween
    const before = into.length
    const events = this.#sse.pushText(text)
    for (const event of events) this.#readEvent(event, into)
    const piece = isFresh && into.length === before + 1 ? into.at(-1) : undefined
    if (piece !== undefined && oneLine.test(text)) this.#frame.learn(text, textOfPiece(piece), holeIn)
    return events.length > 0
  }

  #readEvent({ event = '', data }: NamedEvent, into: UpstreamEvent[]): void {
    const text = data.trim()
    if (this.done) return
    if (failedEvent.test(event)) throw this.#classify(toComplaint(text))
    if (text === '') return
    if (text === '[DONE]') {
      this.done = true
      return
    }
    this.#readObject(this.#parse(text, 'the response stream holds an event that is not valid JSON.'), into)
  }

  #readObject(value: unknown, into: UpstreamEvent[]): void {
    if (!isJsonObject(value)) throw this.#malformed('the response stream holds an event that is not a JSON object.')
    const complaining = complains(value)
    if (complaining === 'surely') throw this.#classify(value)
    if (complaining === 'maybe') this.#complaint ??= value
    const reading = readChunk(value)
    this.#hasBroken = isLostError(value)
    this.#hasChoice ||= this.#form === 'json' ? reading.holds === 'message' : reading.holds !== 'nothing'
    this.#hasSpoken ||= reading.events.length > 0
    this.#addRemarks(reading.remarks, into)
    for (const event of reading.events) into.push(event)
    this.#usage = reading.usage ?? this.#usage
    // Some end twice; that an answer was cut off is true whatever is said after it.
    if (!isCut(this.#finishWord)) this.#finishWord = reading.finish ?? this.#finishWord
    this.finished = this.#finishWord !== undefined
    if (this.#finishWord !== undefined && readFinish(this.#finishWord) === 'failed') {
      const words = `${this.#upstream}: the response broke off (finish reason "${this.#finishWord}").`
      throw new GatewayError('upstream_error', words)
    }
  }

  /** Only what is new: most services repeat these with every chunk. */
  #addRemarks(remarks: JsonObject | undefined, into: UpstreamEvent[]): void {
    if (remarks === undefined) return
    const fresh = Object.entries(remarks).filter(([name, value]) => {
      const json = JSON.stringify(value)
      const isNew = this.#told.get(name) !== json
      this.#told.set(name, json)
      return isNew
    })
    if (fresh.length === 0) return
    into.push({ type: 'remarks', fields: Object.fromEntries(fresh) })
    // They are part of the frame: in another one they would be news again.
    this.#frame.forget()
  }

  /** One JSON value in the service of a stream: a completion, or a refusal in one of its many shapes. */
  #readWhole(text: string, into: UpstreamEvent[]): void {
    const value = this.#parse(text, 'the response is neither an event stream nor JSON.')
    if (Array.isArray(value) && value.some((item) => isJsonObject(item) && complains(item) !== undefined)) {
      throw this.#classify(value)
    }
    this.#readObject(value, into)
    if (this.#complaint !== undefined) throw this.#classify(this.#complaint)
  }

  #addJson(text: string): void {
    this.#jsonParts.push(text)
    this.#jsonCharacters += text.length
    if (this.#jsonCharacters <= this.#maxJson) return
    throw tooLarge(this.#upstream)
  }

  #parse(text: string, complaint: string): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new GatewayError('upstream_malformed', `${this.#upstream}: ${complaint}`, { cause })
    }
  }

  #malformed(what: string): GatewayError {
    return new GatewayError('upstream_malformed', `${this.#upstream}: ${what}`)
  }
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

/** An event of one line of data and nothing else. */
const oneLine = /^data:[^\n]*\n\n$/

function isCut(finishWord: string | undefined): boolean {
  return finishWord !== undefined && readFinish(finishWord) === 'length'
}

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

const MAX_BLANK = 64
