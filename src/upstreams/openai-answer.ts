import { GatewayError } from '../errors.ts'
import type { Usage } from '../protocol/event.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { readChunk, readFinish } from './openai-events.ts'
import { createSseCutter } from './sse.ts'
import { BadGeneration, type UpstreamEvent } from './upstream.ts'

const MAX_JSON_CHARACTERS = 32 * 1024 * 1024

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
 * JSON completion, `<` is a web page, anything else is an event stream.
 */
export function createAnswerReader(upstream: string, classify: (body: JsonObject) => GatewayError): AnswerReader {
  const cutter = createSseCutter()
  const decoder = new TextDecoder()
  let form: 'unknown' | 'sse' | 'json' = 'unknown'
  const jsonParts: string[] = []
  let jsonCharacters = 0
  let done = false
  let finishWord: string | undefined
  let hasBroken = false
  let usage: Usage | undefined

  function malformed(what: string): GatewayError {
    return new GatewayError('upstream_malformed', `${upstream}: ${what}`)
  }

  function readObject(value: unknown, into: UpstreamEvent[]): void {
    if (!isJsonObject(value)) throw malformed('an event of the answer is not a JSON object.')
    if (value['error'] || value['object'] === 'error') throw classify(value)
    const reading = readChunk(value)
    hasBroken = isLostError(value)
    for (const event of reading.events) into.push(event)
    usage = reading.usage ?? usage
    finishWord = reading.finish ?? finishWord
    if (finishWord !== undefined && readFinish(finishWord) === 'failed') {
      throw new GatewayError('upstream_error', `${upstream}: the answer broke off (finish reason "${finishWord}").`)
    }
  }

  function readData(data: string, into: UpstreamEvent[]): void {
    const text = data.trim()
    if (done || text === '') return
    if (text === '[DONE]') {
      done = true
      return
    }
    readObject(parse(text, 'an event of the answer is not valid JSON.'), into)
  }

  function parse(text: string, complaint: string): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new GatewayError('upstream_malformed', `${upstream}: ${complaint}`, { cause })
    }
  }

  function addJson(text: string): void {
    jsonParts.push(text)
    jsonCharacters += text.length
    if (jsonCharacters > MAX_JSON_CHARACTERS) throw malformed('the answer is too large.')
  }

  return {
    push(bytes, into) {
      if (form === 'unknown') {
        const first = firstVisible(bytes)
        if (first === undefined) return false
        if (first === LESS_THAN) throw malformed('answered with a web page instead of an event stream.')
        form = first === OPEN_BRACE ? 'json' : 'sse'
      }
      if (form === 'json') {
        addJson(decoder.decode(bytes, { stream: true }))
        return true
      }
      const cut = cutter.push(bytes)
      for (const data of cut) readData(data, into)
      return cut.length > 0
    },
    end(into) {
      if (form === 'json') {
        addJson(decoder.decode())
        readObject(parse(jsonParts.join(''), 'the answer is neither an event stream nor one JSON value.'), into)
        done = true
      } else {
        for (const data of cutter.end()) readData(data, into)
        if (cutter.bytes > 0 && cutter.events === 0) throw malformed('the answer is not an event stream.')
      }
      if (finishWord === undefined && !done) {
        if (hasBroken) throw new BadGeneration('upstream_error', `${upstream}: ${lostWords}`, '')
        throw new GatewayError('upstream_truncated', `${upstream}: the stream ended before the answer was complete.`)
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
    get done() {
      return done
    },
    get finished() {
      return finishWord !== undefined
    },
  }
}

const lostWords =
  'its answer broke off with an error it does not pass on. A tool call that was cut off or cannot be read does this; its log has the words.'

/** Ollama turns an error in its stream into a chunk of no model that says nothing. */
function isLostError({ model, choices }: JsonObject): boolean {
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : []
  const delta = isJsonObject(choice) ? choice['delta'] : undefined
  return (
    model === '' && isJsonObject(delta) && Object.values(delta).every((said) => said === '' || said === 'assistant')
  )
}

const OPEN_BRACE = 0x7b
const LESS_THAN = 0x3c
const byteOrderMark = new Set([0xef, 0xbb, 0xbf])

function firstVisible(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => byte > 0x20 && !byteOrderMark.has(byte))
}
