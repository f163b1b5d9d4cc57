import { byteLength } from '../../bytes.ts'
import { GatewayError } from '../../errors.ts'
import { createFlow, type Flow, type LoseBatch, type TakeBatch, Waiting } from '../../protocol/flow.ts'
import { hasMedia } from '../../protocol/message.ts'
import { redact } from '../refusals/redact.ts'
import { classifyRefusal } from '../refusals/refusal.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import { createDeadlines, type Deadlines, type Timeouts } from './deadlines.ts'
import { type Exchange, type ExchangeHead, type ExchangeRequest, headOf, type Pool, readText } from './exchange.ts'

const MAX_BODY_BYTES = 256 * 1024
/** A finish is followed by at most the usage and a closing mark; who stays silent after it is not waited for longer. */
const AFTER_FINISH_MS = 2_000
/** What an answer may come to where nobody said otherwise. */
export const ANSWER_BYTES = 64 * 1024 * 1024

/** Reads the body of an answer. */
export interface SpeechReader {
  /** Adds what these bytes say to `into`; true when they said anything at all. */
  push(bytes: Uint8Array, into: UpstreamEvent[]): boolean
  /** The stream ended: adds the last words, or throws when it ended too early. */
  end(into: UpstreamEvent[]): void
  /** The answer is whole: nothing further is read. */
  readonly done: boolean
  /** The answer said how it ended; what may follow (its usage) is welcome, and not waited for long. */
  readonly finished?: boolean
}

/** What is made of the events of each read before they go on. */
export interface SpeechStep {
  pass(events: readonly UpstreamEvent[]): readonly UpstreamEvent[]
  /** The answer has ended, whole. */
  end?(): void
}

interface Speech {
  readonly upstream: string
  readonly pool: Pool
  readonly request: ExchangeRequest
  readonly timeouts: Timeouts
  readonly reader: SpeechReader
  /** In their order. */
  readonly steps?: readonly SpeechStep[]
  /** The most an answer may say, in bytes of its text. */
  readonly answerBytes?: number | undefined
  /** Looks at an answer before it is read; throws for one that is none. `body` is all of it, up to a limit. */
  readonly expect: (head: ExchangeHead, body: () => Promise<string>) => Promise<void> | undefined
  /** Whether the service is there although it says nothing. Absent: silence is death. */
  readonly isAlive?: (() => Promise<boolean>) | undefined
  readonly onSent?: UpstreamRequest['onSent'] | undefined
}

/**
 * One streamed answer, whatever the protocol: sends, reads, keeps the deadlines, cleans up. Not a generator: every read of an
 * answer goes through it.
 */
export function speak(speech: Speech, signal: AbortSignal): Flow<readonly UpstreamEvent[]> {
  const { upstream, pool, reader, timeouts, steps = [], answerBytes = ANSWER_BYTES, onSent, expect, isAlive } = speech
  /** Until it is sent: a conversation may be long, and an answer to it may take its time. */
  let unsent: ExchangeRequest | undefined = speech.request
  let line: { readonly exchange: Exchange; readonly deadlines: Deadlines } | undefined
  let begun = false
  let isOver = false
  let said = 0
  /** Came with the last words, which go before it. */
  let failure: { readonly thrown: unknown } | undefined
  let progressed = false
  const waiting = new Waiting<readonly UpstreamEvent[]>()

  /** Ends the answer where it failed. */
  function fail(thrown: unknown): void {
    const lose = waiting.forget()
    close(false)
    lose?.(signal.aborted ? signal.reason : toFailure(thrown, upstream, begun))
  }

  /** Lets pass what an answer may say, and no more: a model in a loop would fill the memory of whoever listens. */
  function checked(events: readonly UpstreamEvent[]): readonly UpstreamEvent[] {
    for (const event of events) said += sizeOf(event)
    if (said > answerBytes) throw tooLarge(upstream)
    let passed = events
    for (const step of steps) passed = step.pass(passed)
    return passed
  }

  function close(isWhole: boolean): void {
    if (isOver) return
    isOver = true
    line?.deadlines.clear()
    if (isWhole) line?.exchange.release()
    else line?.exchange.abort(new Error('cancelled'))
  }

  function ask(request: ExchangeRequest): void {
    unsent = undefined
    if (onSent !== undefined) onSent(typeof request.body === 'object' ? [request.body] : (request.body ?? ''))
    const exchange = pool.open(request, signal)
    line = { exchange, deadlines: createDeadlines(timeouts, (expired) => exchange.abort(expired), isAlive) }
    exchange.begin((head) => look(head, exchange), fail)
  }

  function look(head: ExchangeHead, exchange: Exchange): void {
    const goOnReading = (): void => {
      begun = true
      readOn(exchange)
    }
    try {
      const looked = expect(head, () => bodyOf(exchange))
      if (looked !== undefined) return void looked.then(goOnReading, fail)
    } catch (thrown) {
      return fail(thrown)
    }
    goOnReading()
  }

  function readOn(exchange: Exchange): void {
    if (reader.done) finish()
    else exchange.pull(hear, lose)
  }

  function hear(bytes: Uint8Array | undefined): void {
    if (isOver || line === undefined) return waiting.give(undefined)
    if (bytes === undefined) return finish()
    const events: UpstreamEvent[] = []
    progressed = false
    try {
      progressed = reader.push(bytes, events)
    } catch (thrown) {
      failure = { thrown }
    }
    if (events.length === 0) {
      if (failure !== undefined) return fail(failure.thrown)
      goOn(line.deadlines)
      return readOn(line.exchange)
    }
    line.deadlines.hold()
    let passed: readonly UpstreamEvent[]
    try {
      passed = checked(events)
    } catch (thrown) {
      return fail(thrown)
    }
    waiting.give(passed)
  }

  /** A connection that breaks once the answer is whole has merely ended. */
  function lose(thrown: unknown): void {
    if (isOver) waiting.give(undefined)
    else if (reader.finished === true && !signal.aborted) finish()
    else fail(thrown)
  }

  function goOn(deadlines: Deadlines): void {
    if (reader.finished === true) deadlines.lastCall(Math.min(AFTER_FINISH_MS, timeouts.idleMs))
    else if (progressed) deadlines.progress()
    progressed = false
  }

  function finish(): void {
    const last: UpstreamEvent[] = []
    let passed: readonly UpstreamEvent[]
    try {
      reader.end(last)
      passed = checked(last)
      for (const step of steps) step.end?.()
      close(true)
    } catch (thrown) {
      return fail(thrown)
    }
    waiting.give(passed)
  }

  function pull(take: TakeBatch<readonly UpstreamEvent[]>, onLost: LoseBatch): void {
    if (isOver) return take(undefined)
    waiting.wait(take, onLost)
    if (unsent !== undefined) ask(unsent)
    else if (failure !== undefined) fail(failure.thrown)
    else if (line !== undefined) {
      goOn(line.deadlines)
      readOn(line.exchange)
    }
  }

  return createFlow(pull, () => close(false))
}

function sizeOf(event: UpstreamEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'replace':
      return byteLength(event.text)
    case 'call':
      return byteLength(`${event.name ?? ''}${event.json ?? ''}`)
    case 'logprobs':
      return JSON.stringify(event.content).length
    case 'keepsake':
      return JSON.stringify(event.fields).length
    default:
      return 0
  }
}

interface Errand {
  readonly upstream: string
  readonly pool: Pool
  readonly request: ExchangeRequest
  readonly withinMs: number
  readonly maxBytes?: number
}

/** One small request and its whole answer, whatever its status. */
export async function run(
  errand: Errand,
  signal: AbortSignal,
): Promise<{ readonly head: ExchangeHead; readonly text: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(errand.withinMs)])
  const exchange = errand.pool.open(errand.request, limit)
  try {
    const head = await headOf(exchange)
    return { head, text: await bodyOf(exchange, errand.maxBytes) }
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (limit.aborted) {
      throw new GatewayError('upstream_timeout', `${errand.upstream}: no answer within ${errand.withinMs} ms.`)
    }
    throw toFailure(thrown, errand.upstream, false)
  } finally {
    exchange.release()
  }
}

async function bodyOf(exchange: Exchange, maxBytes = MAX_BODY_BYTES): Promise<string> {
  return (await readText(exchange, maxBytes)).text
}

/** An HTTP refusal that has no meaning of this service's own. */
export function refusalOf(
  upstream: string,
  head: ExchangeHead,
  body: string,
  secrets: readonly string[],
): GatewayError {
  return classifyRefusal({ upstream, status: head.status, body, retryAfter: head.headers['retry-after'], secrets })
}

/** Refuses what a service that only knows words cannot be asked. */
export function expectWords(upstream: string, { messages, tools }: UpstreamRequest): void {
  if (tools.length > 0 || messages.some(({ role }) => role === 'tool')) {
    const remedy = "Set the model's `tools` to prompt or auto."
    throw new GatewayError('unsupported_parameter', `${upstream} has no tool calling of its own. ${remedy}`, {
      param: 'tools',
    })
  }
  for (const [index, message] of messages.entries()) {
    if (!hasMedia(message)) continue
    const words = `${upstream} accepts only text. Leave images, audio and files out.`
    throw new GatewayError('unsupported_parameter', words, { param: `messages[${index}].content` })
  }
}

/** An answer beyond what may be kept of one. */
export function tooLarge(upstream: string): GatewayError {
  const remedy = "If you need responses this large, raise 'limits.answer' in the gateway's config."
  return new GatewayError('answer_too_large', `${upstream}: the response is larger than this gateway allows. ${remedy}`)
}

/** What the connection did, as a failure. */
function toFailure(thrown: unknown, upstream: string, begun: boolean): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const words = redact(thrown instanceof Error ? thrown.message || code : code)
  if (code === 'HTTP_MALFORMED') {
    return new GatewayError('upstream_malformed', `${upstream}: it did not answer with valid HTTP (${words}).`, {
      cause: thrown,
    })
  }
  if (begun) {
    const message = `${upstream}: the connection broke before the response was complete (${words}).`
    return new GatewayError('upstream_truncated', message, { cause: thrown })
  }
  return new GatewayError(
    'upstream_unreachable',
    `${upstream}: cannot be reached (${words}). Check that it is running and that its URL is right.`,
    { cause: thrown },
  )
}
