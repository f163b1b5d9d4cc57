import { type FailureCode, GatewayError } from '../../errors.ts'
import { type JsonObject, parseObject } from '../../protocol/json.ts'
import type { Writable } from '../../protocol/writable.ts'
import { complains } from '../refusals/complaints.ts'
import { redact } from '../refusals/redact.ts'
import { classifyRefusal, withoutRetryWords } from '../refusals/refusal.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { createSseReader, type NamedEvent } from '../wire/sse.ts'
import type { BodyReader } from '../wire/stream.ts'

const codes: Readonly<Record<string, FailureCode>> = {
  user_message_too_long: 'context_length_exceeded',
  insufficient_fund: 'insufficient_quota',
  user_caused_error: 'upstream_rejected',
  privacy_authorization_error: 'upstream_forbidden',
}

/** A bot's answer, from bytes to events. Only `done` ends it: the connection may end whenever it likes. */
export function createPoeReader(upstream: string, secrets: readonly string[], maxEvent?: number): BodyReader {
  const sse = createSseReader(maxEvent)
  const bot = createBotText()

  function read(event: string, data: string, into: UpstreamEvent[]): void {
    switch (event) {
      case 'text':
      case 'replace_response': {
        const text = parse(upstream, event, data)['text']
        if (typeof text !== 'string') throw malformed(upstream, event)
        if (event === 'text') bot.add(text)
        else bot.replace(text)
        return
      }
      case 'error':
        throw toFailure(upstream, parse(upstream, event, data), secrets)
      case 'done':
        reader.done = true
        return
      case 'file': {
        const { name } = parse(upstream, event, data) as Readonly<Record<string, unknown>>
        bot.settle(into)
        into.push({ type: 'note', kind: 'file_dropped', ...(typeof name === 'string' && { detail: name }) })
        return
      }
      case 'message': {
        // The protocol's own events have names: one without may be a refusal by a proxy.
        const value = parseObject(data)
        if (value !== undefined && complains(value) !== undefined) {
          throw classifyRefusal({ upstream, body: value, secrets })
        }
        return
      }
      // `meta`, `json` (only when tools were sent), `suggested_reply`, `data`, `ping`, and whatever is added one day.
    }
  }

  function readAll(events: readonly NamedEvent[], into: UpstreamEvent[]): void {
    for (const { event = 'message', data } of events) if (!reader.done) read(event, data, into)
    bot.settle(into)
  }

  const reader: Writable<BodyReader> = {
    done: false,
    push(bytes, into) {
      const events = sse.push(bytes)
      readAll(events, into)
      return events.some(({ event }) => event !== 'ping')
    },
    end(into) {
      readAll(sse.end(), into)
      if (!reader.done) {
        throw new GatewayError('upstream_truncated', `${upstream}: the stream ended before the bot said it was done.`)
      }
      bot.end(into)
      into.push({ type: 'finish', reason: 'stop' })
    },
  }
  return reader
}

/** What the bot itself calls an error. Unless it says otherwise, another try may help. */
function toFailure(upstream: string, said: JsonObject, secrets: readonly string[]): GatewayError {
  const type = typeof said['error_type'] === 'string' ? said['error_type'] : ''
  const code = codes[type] ?? (said['allow_retry'] === false ? 'upstream_rejected' : 'upstream_error')
  const words =
    typeof said['text'] === 'string' && said['text'] !== '' ? said['text'] : 'an error, and no reason was given'
  const message = `${upstream}: ${redact(words, secrets)}`
  const param = code === 'context_length_exceeded' ? 'messages' : undefined
  const failure = new GatewayError(code, message, { param })
  return failure.status < 429 ? new GatewayError(code, withoutRetryWords(message), { param }) : failure
}

function parse(upstream: string, event: string, data: string): JsonObject {
  const value = parseObject(data)
  if (value !== undefined) return value
  throw malformed(upstream, event)
}

function malformed(upstream: string, event: string): GatewayError {
  return new GatewayError(
    'upstream_malformed',
    `${upstream}: the response holds a "${event}" event that cannot be read.`,
  )
}

/** The text of a bot, which may take back all of it and say something else. */
export interface BotText {
  add(text: string): void
  replace(text: string): void
  /** Adds what may leave now to `into`. */
  settle(into: UpstreamEvent[]): void
  end(into: UpstreamEvent[]): void
}

/**
 * What has left cannot be taken back, so a new text must begin with it, and only the rest of it leaves. Bots that count
 * the seconds they think replace one line many times: so a replacement waits for words that are added to it, or for the end.
 */
export function createBotText(): BotText {
  let left = ''
  /** What has left and the new text has not come to yet. */
  let owed = ''
  let fresh = ''
  let isWaiting = false
  let note: readonly UpstreamEvent[] = []

  function take(text: string): void {
    const known = Math.min(text.length, owed.length)
    if (text.slice(0, known) !== owed.slice(0, known)) throw takenBack()
    owed = owed.slice(known)
    fresh += text.slice(known)
  }

  function settle(into: UpstreamEvent[]): void {
    if (isWaiting || fresh === '') return
    into.push(...note, { type: 'text', text: fresh })
    left += fresh
    fresh = ''
    note = []
  }

  return {
    add(text) {
      isWaiting = false
      take(text)
    },
    replace(text) {
      const said = left.slice(0, left.length - owed.length) + fresh
      if (said !== '' && text.startsWith(said)) return take(text.slice(said.length))
      if (said !== '') note = [{ type: 'note', kind: 'text_replaced' }]
      owed = left
      fresh = ''
      isWaiting = true
      take(text)
    },
    settle,
    end(into) {
      if (owed !== '') throw takenBack()
      isWaiting = false
      settle(into)
    },
  }
}

function takenBack(): GatewayError {
  return new GatewayError('upstream_error', 'The model server changed text that it had already sent.')
}
