import { byteLength } from '../../bytes.ts'
import { GatewayError } from '../../errors.ts'
import { hasMedia } from '../../protocol/message.ts'
import { classifyRefusal } from '../refusals/refusal.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import { createDeadlines, type Timeouts } from './deadlines.ts'
import { toFailure, tooLarge } from './failures.ts'
import { type HttpClient, type HttpHead, type HttpRequest, readText } from './http.ts'

/** A finish is followed by at most the usage and a closing mark; who stays silent after it is not waited for longer. */
const AFTER_FINISH_MS = 2_000
/** The most an answer may say, by default. */
export const ANSWER_BYTES = 64 * 1024 * 1024

/** Made once: a new one would cost its stack with every answer. */
const unread = new DOMException('The rest of the answer is not read.', 'AbortError')

type Batch = readonly UpstreamEvent[]

/** Reads the body of an answer. */
export interface BodyReader {
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
export interface EventStep {
  pass(events: Batch): Batch
  /** The answer has ended, whole. */
  end?(): void
}

interface StreamOptions {
  readonly upstream: string
  readonly client: HttpClient
  readonly request: HttpRequest
  readonly timeouts: Timeouts
  readonly reader: BodyReader
  /** In their order. */
  readonly steps?: readonly EventStep[]
  /** The most an answer may say, in bytes of its text. */
  readonly answerBytes?: number | undefined
  /** Looks at an answer before it is read; throws for one that is none. `body` is all of it, up to a limit. */
  readonly expect: (head: HttpHead, body: () => Promise<string>) => Promise<void> | undefined
  /** Whether the service is there although it says nothing. Absent: silence is death. */
  readonly isAlive?: (() => Promise<boolean>) | undefined
  readonly onSent?: UpstreamRequest['onSent'] | undefined
}

/** One streamed answer, whatever the protocol: sends, reads, keeps the deadlines, cleans up. A batch is one read. */
export async function* openStream(options: StreamOptions, signal: AbortSignal): AsyncGenerator<Batch, void> {
  const { upstream, client, request, timeouts, reader, onSent } = options
  const pass = createPass(options)
  onSent?.(request.body ?? '')
  const controller = new AbortController()
  const cancel = (): void => controller.abort(signal.reason)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  const deadlines = createDeadlines(timeouts, (expired) => controller.abort(expired), options.isAlive)
  const close = (): void => {
    deadlines.clear()
    signal.removeEventListener('abort', cancel)
  }
  let hasBegun = false
  try {
    const response = await client.send(request, controller.signal)
    await options.expect(response, () => readText(response.body))
    hasBegun = true
    const reads = response.body[Symbol.asyncIterator]()
    const last: UpstreamEvent[] = []
    while (!reader.done) {
      const read = await reads.next().catch(orEnd)
      if (read.done === true) break
      const { events, failure, isProgress } = readEvents(reader, read.value)
      if (reader.done && failure === undefined) last.push(...events)
      else if (events.length > 0) {
        deadlines.hold()
        yield pass(events)
      }
      if (failure !== undefined) throw failure.thrown
      if (reader.finished === true) deadlines.lastCall(Math.min(AFTER_FINISH_MS, timeouts.idleMs))
      else if (isProgress) deadlines.progress()
    }
    const words = last.length
    try {
      reader.end(last)
    } catch (thrown) {
      // What came with the failure goes before it.
      if (words > 0) yield pass(last.slice(0, words))
      throw thrown
    }
    const passed = pass(last)
    for (const step of options.steps ?? []) step.end?.()
    close()
    void reads.return?.()
    yield passed
  } catch (thrown) {
    close()
    controller.abort(thrown)
    throw signal.aborted ? signal.reason : toFailure(thrown, upstream, hasBegun)
  } finally {
    close()
    if (!reader.done) controller.abort(unread)
  }

  /** A connection that breaks once the answer is whole has merely ended. */
  function orEnd(thrown: unknown): IteratorResult<Uint8Array, void> {
    if (reader.finished !== true || signal.aborted) throw thrown
    return { done: true, value: undefined }
  }
}

function readEvents(reader: BodyReader, bytes: Uint8Array) {
  const events: UpstreamEvent[] = []
  try {
    return { events, isProgress: reader.push(bytes, events) }
  } catch (thrown) {
    return { events, isProgress: false, failure: { thrown } }
  }
}

/** Lets pass what an answer may say, and no more: a model in a loop would fill the memory. */
function createPass({ upstream, steps = [], answerBytes = ANSWER_BYTES }: StreamOptions): (events: Batch) => Batch {
  let said = 0
  return (events) => {
    for (const event of events) said += sizeOf(event)
    if (said > answerBytes) throw tooLarge(upstream)
    return steps.reduce((passed, step) => step.pass(passed), events)
  }
}

function sizeOf(event: UpstreamEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return byteLength(event.text)
    case 'call':
      return byteLength(event.name ?? '') + byteLength(event.json ?? '')
    case 'logprobs':
      return JSON.stringify(event.content).length
    case 'provider-metadata':
      return JSON.stringify(event.fields).length
    default:
      return 0
  }
}

/** An HTTP refusal that has no meaning of this service's own. */
export function refusalOf(upstream: string, head: HttpHead, body: string, secrets: readonly string[]): GatewayError {
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
