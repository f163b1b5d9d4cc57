import { byteLength } from '../../bytes.ts'
import { GatewayError } from '../../errors.ts'
import { Flow, type Taker } from '../../protocol/flow.ts'
import { hasMedia } from '../../protocol/message.ts'
import { classifyRefusal } from '../refusals/refusal.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import { createDeadlines, type Deadlines, type Timeouts } from './deadlines.ts'
import { bodyOf } from './errand.ts'
import type { Exchange, ExchangeHead, ExchangeRequest, Pool } from './exchange.ts'
import { toFailure, tooLarge } from './failures.ts'

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

/** One streamed answer, whatever the protocol: sends, reads, keeps the deadlines, cleans up. */
export function speak(speech: Speech, signal: AbortSignal): Flow<readonly UpstreamEvent[]> {
  return new Speaking(speech, signal)
}

const noSteps: readonly SpeechStep[] = []

class Speaking extends Flow<readonly UpstreamEvent[]> implements Taker<Uint8Array> {
  readonly #reader: SpeechReader
  readonly #steps: readonly SpeechStep[]
  readonly #answerBytes: number
  #exchange: Exchange | undefined
  #deadlines: Deadlines | undefined
  #said = 0
  #begun = false
  #isOver = false
  #progressed = false
  /** Came with the last words, which go before it. */
  #failure: { readonly thrown: unknown } | undefined
  readonly #signal: AbortSignal
  readonly #upstream: string
  readonly #timeouts: Timeouts
  /** Until it is sent: a conversation may be long, and an answer to it may take its time. */
  #unsent: Speech | undefined

  constructor(speech: Speech, signal: AbortSignal) {
    super()
    this.#reader = speech.reader
    this.#steps = speech.steps ?? noSteps
    this.#answerBytes = speech.answerBytes ?? ANSWER_BYTES
    this.#signal = signal
    this.#upstream = speech.upstream
    this.#timeouts = speech.timeouts
    this.#unsent = speech
  }

  pull(taker: Taker<readonly UpstreamEvent[]>): void {
    if (this.#isOver) return taker.take(undefined)
    this.wait(taker)
    const exchange = this.#exchange
    if (this.#unsent !== undefined) this.#ask(this.#unsent)
    else if (this.#failure !== undefined) this.#fail(this.#failure.thrown)
    else if (exchange !== undefined) {
      this.#goOn()
      this.#readOn(exchange)
    }
  }

  protected leave(): void {
    this.#close(false)
  }

  /** What the connection brings. */
  take(bytes: Uint8Array | undefined): void {
    const exchange = this.#exchange
    if (this.#isOver || exchange === undefined) return this.give(undefined)
    if (bytes === undefined) return this.#finish()
    const events: UpstreamEvent[] = []
    this.#progressed = false
    try {
      this.#progressed = this.#reader.push(bytes, events)
    } catch (thrown) {
      this.#failure = { thrown }
    }
    // The end goes with the last words where they came together: whatever is done for a read is done once.
    if (this.#reader.done && this.#failure === undefined) return this.#finish(events)
    if (events.length === 0) {
      if (this.#failure !== undefined) return this.#fail(this.#failure.thrown)
      this.#goOn()
      return this.#readOn(exchange)
    }
    this.#deadlines?.hold()
    let passed: readonly UpstreamEvent[]
    try {
      passed = this.#checked(events)
    } catch (thrown) {
      return this.#fail(thrown)
    }
    this.give(passed)
  }

  /** A connection that breaks once the answer is whole has merely ended. */
  lose(thrown: unknown): void {
    if (this.#isOver) this.give(undefined)
    else if (this.#reader.finished === true && !this.#signal.aborted) this.#finish()
    else this.#fail(thrown)
  }

  /** Ends the answer where it failed. */
  #fail(thrown: unknown): void {
    const taker = this.forget()
    this.#close(false)
    taker?.lose(this.#signal.aborted ? this.#signal.reason : toFailure(thrown, this.#upstream, this.#begun))
  }

  /** Lets pass what an answer may say, and no more: a model in a loop would fill the memory of whoever listens. */
  #checked(events: readonly UpstreamEvent[]): readonly UpstreamEvent[] {
    for (const event of events) this.#said += sizeOf(event)
    if (this.#said > this.#answerBytes) throw tooLarge(this.#upstream)
    let passed = events
    for (const step of this.#steps) passed = step.pass(passed)
    return passed
  }

  #close(isWhole: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#deadlines?.clear()
    if (isWhole) this.#exchange?.release()
    else this.#exchange?.abort(new Error('cancelled'))
  }

  #ask({ request, pool, onSent, expect, isAlive }: Speech): void {
    this.#unsent = undefined
    if (onSent !== undefined) onSent(typeof request.body === 'object' ? [request.body] : (request.body ?? ''))
    const exchange = pool.open(request, this.#signal)
    this.#exchange = exchange
    this.#deadlines = createDeadlines(this.#timeouts, (expired) => exchange.abort(expired), isAlive)
    exchange.begin(
      (head) => this.#look(head, exchange, expect),
      (thrown) => this.#fail(thrown),
    )
  }

  #look(head: ExchangeHead, exchange: Exchange, expect: Speech['expect']): void {
    const goOnReading = (): void => {
      this.#begun = true
      this.#readOn(exchange)
    }
    try {
      const looked = expect(head, () => bodyOf(exchange))
      if (looked !== undefined) return void looked.then(goOnReading, (thrown: unknown) => this.#fail(thrown))
    } catch (thrown) {
      return this.#fail(thrown)
    }
    goOnReading()
  }

  #readOn(exchange: Exchange): void {
    if (this.#reader.done) this.#finish()
    else exchange.pull(this)
  }

  #goOn(): void {
    if (this.#reader.finished === true) this.#deadlines?.lastCall(Math.min(AFTER_FINISH_MS, this.#timeouts.idleMs))
    else if (this.#progressed) this.#deadlines?.progress()
    this.#progressed = false
  }

  /** `last` has the words that came with the end. */
  #finish(last: UpstreamEvent[] = []): void {
    const words = last.length
    try {
      this.#reader.end(last)
    } catch (thrown) {
      if (words === 0) return this.#fail(thrown)
      last.length = words
      this.#failure = { thrown }
    }
    let passed: readonly UpstreamEvent[]
    try {
      passed = this.#checked(last)
      if (this.#failure === undefined) {
        for (const step of this.#steps) step.end?.()
        this.#close(true)
      }
    } catch (thrown) {
      return this.#fail(thrown)
    }
    this.give(passed)
  }
}

function sizeOf(event: UpstreamEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'replace':
      return bytesOf(event.text)
    case 'call':
      return bytesOf(event.name ?? '') + bytesOf(event.json ?? '')
    case 'logprobs':
      return JSON.stringify(event.content).length
    case 'keepsake':
      return JSON.stringify(event.fields).length
    default:
      return 0
  }
}

/** Most pieces are a word: to look at it is faster than to ask the runtime. */
const SHORT = 64

function bytesOf(text: string): number {
  if (text.length > SHORT) return byteLength(text)
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return byteLength(text)
  return text.length
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
