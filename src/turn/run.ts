import { type Event, isAside } from '../protocol/event.ts'
import { Flow, pullFrom, type Taker } from '../protocol/flow.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import type { Answer } from './answer/answer.ts'
import type { Rescue } from './answer/text/rescue.ts'
import type { KeptThread } from './thread.ts'

type Read = IteratorResult<readonly UpstreamEvent[], unknown>

/** A service that began to answer. The first read is already in, so that a refusal is known before anything is promised. */
export interface Speaker {
  readonly first: Read
  readonly rest: AsyncIterator<readonly UpstreamEvent[]>
  /** What it says goes through this first. */
  readonly rescue?: Rescue | undefined
  /** Closes the connection; harmless when it is closed already. */
  stop(): void
  /** It said all it had to say: there is nothing to close. */
  leave(): void
}

/** Asks a service and waits for its first words. */
export async function listen(
  chat: (signal: AbortSignal) => AsyncIterable<readonly UpstreamEvent[]>,
  signal: AbortSignal,
  rescue?: Rescue,
): Promise<Speaker> {
  const controller = new AbortController()
  // Not `AbortSignal.any`: what that keeps for the collector costs more than a listener that is taken off again.
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  const rest = chat(controller.signal)[Symbol.asyncIterator]()
  const leave = () => signal.removeEventListener('abort', follow)
  const stop = () => {
    leave()
    controller.abort()
    // A generator that waits for its connection ends by the abort, and that is not a failure of this turn.
    rest.return?.().catch(() => undefined)
  }
  try {
    const first = rescue === undefined ? await rest.next() : await hearFirst(rest, rescue)
    return { first, rest, rescue, stop, leave }
  } catch (thrown) {
    stop()
    throw thrown
  }
}

/** The first words there are, or the failure if there are none. */
async function hearFirst(rest: Speaker['rest'], rescue: Rescue): Promise<Read> {
  try {
    for (let read = await rest.next(); read.done !== true; read = await rest.next()) {
      const value = rescue.take(read.value)
      if (value.length > 0 || rescue.isOver) return { done: false, value }
    }
    return { done: true, value: undefined }
  } catch (thrown) {
    const value = rescue.fail(thrown)
    if (value.length === 0 && rescue.failure !== undefined) throw rescue.failure.thrown
    return { done: false, value }
  }
}

/** Who is told of an answer beside its client. */
export interface Ears {
  /** The conversation it belongs to, where that is kept. */
  readonly thread?: KeptThread | undefined
  readonly hear?: ((events: readonly UpstreamEvent[]) => void) | undefined
}

/** The last events of an answer with their figures, at once where they are known. */
type Count = (last: readonly Event[]) => readonly Event[] | Promise<readonly Event[]>

/** One answer from its first word to its last. Leaving it early closes the connection. */
export function runTurn(
  speaker: Speaker,
  answer: Answer,
  signal: AbortSignal,
  count: Count,
  { thread, hear }: Ears = {},
): Flow<readonly Event[]> {
  return new Running(speaker, answer, signal, count, thread, hear)
}

class Running extends Flow<readonly Event[]> implements Taker<readonly UpstreamEvent[]> {
  readonly #rest: AsyncIterator<readonly UpstreamEvent[]>
  readonly #rescue: Rescue | undefined
  readonly #answer: Answer
  readonly #thread: KeptThread | undefined
  readonly #hear: ((events: readonly UpstreamEvent[]) => void) | undefined
  #first: Read | undefined
  #isTold = false
  /** Nothing further can matter, as of the last read. */
  #isDone: boolean
  /** Nothing is read any more: what is left is the end. */
  #isHeardOut = false
  #isOver = false
  /** Came after what there was still to say, which goes before it. */
  #failure: { readonly thrown: unknown } | undefined
  readonly #heard: Event[] = []
  readonly #speaker: Speaker
  readonly #signal: AbortSignal
  readonly #count: Count
  /** Was said together with how it ended, and leaves with the end: that is at hand. */
  #lastWords: readonly Event[] = nothing

  constructor(
    speaker: Speaker,
    answer: Answer,
    signal: AbortSignal,
    count: Count,
    thread: KeptThread | undefined,
    hear: ((events: readonly UpstreamEvent[]) => void) | undefined,
  ) {
    super()
    this.#rest = speaker.rest
    this.#rescue = speaker.rescue
    this.#answer = answer
    this.#thread = thread
    this.#hear = hear
    this.#first = speaker.first
    this.#isDone = answer.done
    this.#speaker = speaker
    this.#signal = signal
    this.#count = count
  }

  pull(taker: Taker<readonly Event[]>): void {
    if (this.#isOver) return taker.take(undefined)
    this.wait(taker)
    if (this.#failure === undefined) this.#goOn()
    else this.#fail(this.#failure.thrown)
  }

  /** What the service says next. */
  take(said: readonly UpstreamEvent[] | undefined): void {
    const rescue = this.#rescue
    if (this.#isOver) return this.give(undefined)
    if (said === undefined) return this.#end(true)
    if (rescue === undefined) return this.#tell(said)
    let saved: readonly UpstreamEvent[]
    try {
      saved = rescue.take(said)
      if (rescue.isOver) this.#speaker.stop()
    } catch (thrown) {
      return this.lose(thrown)
    }
    this.#tell(saved)
  }

  /** The service fell silent. */
  lose(thrown: unknown): void {
    const rescue = this.#rescue
    if (this.#isOver) return this.give(undefined)
    const saved = rescue === undefined || rescue.isOver ? [] : rescue.fail(thrown)
    if (saved.length > 0) return this.#tell(saved)
    if (this.#isDone && !this.#signal.aborted) return this.#end(false)
    // As long as nothing was told, the failure is all there is to tell: somebody else may still answer.
    if (this.#signal.aborted || !this.#isTold) return this.#fail(thrown)
    const left = [...this.#lastWords, ...this.#answer.die()]
    this.#lastWords = nothing
    if (left.length === 0) return this.#fail(thrown)
    this.#failure = { thrown }
    this.give(left)
  }

  protected leave(): void {
    this.#close(false)
  }

  #fail(thrown: unknown): void {
    const taker = this.forget()
    this.#close(false)
    taker?.lose(thrown)
  }

  #close(isWhole: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    if (isWhole) this.#speaker.leave()
    else this.#speaker.stop()
  }

  #goOn(): void {
    if (this.#isHeardOut) return this.#end(false)
    const first = this.#first
    if (first !== undefined) {
      this.#first = undefined
      return first.done === true ? this.#end(true) : this.#tell(first.value)
    }
    if (this.#rescue?.isOver === true) return this.#rescued(this.#rescue)
    if (!this.#isDone) return pullFrom(this.#rest, this)
    void orEnd(this.#rest.next()).then(
      (read) => this.#takeLate(read),
      (thrown: unknown) => this.lose(thrown),
    )
  }

  #takeLate(read: Read): void {
    if (this.#isOver) this.give(undefined)
    else if (read === late) this.#end(false)
    else this.take(read.done === true ? undefined : read.value)
  }

  /** All was said that could be saved. */
  #rescued({ failure }: Rescue): void {
    if (failure === undefined) this.#end(true)
    else this.lose(failure.thrown)
  }

  #tell(said: readonly UpstreamEvent[]): void {
    let events: readonly Event[]
    try {
      this.#hear?.(said)
      const wasDone = this.#isDone
      events = this.#answer.take(said)
      this.#isDone = this.#answer.done
      if (this.#thread?.isKept === true) this.#heard.push(...events)
      this.#isTold ||= events.some(isSeen)
      // Heard out while it adds nothing: its own usage is worth more than a guess, a connection that ends by itself can be
      // used again, and a service that keeps the conversation could not go on from an answer cut short.
      if (this.#isDone && said.some((event) => saysMore(event, wasDone))) this.#isHeardOut = true
      if (this.#isHeardOut) this.#speaker.stop()
    } catch (thrown) {
      return this.#fail(thrown)
    }
    if (said.at(-1)?.type === 'finish') {
      this.#lastWords = events
      return this.#goOn()
    }
    if (events.length > 0) this.give(events)
    else this.#goOn()
  }

  #end(isWhole: boolean): void {
    try {
      const last = this.#answer.end()
      const thread = this.#thread
      const counted =
        thread?.isKept === true
          ? thread.tell([...this.#heard, ...last]).then(() => this.#count(last))
          : this.#count(last)
      if ('then' in counted)
        counted.then(
          (told) => this.#tellEnd(told, isWhole),
          (thrown: unknown) => this.#fail(thrown),
        )
      else this.#tellEnd(counted, isWhole)
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  #tellEnd(last: readonly Event[], isWhole: boolean): void {
    const words = this.#lastWords
    this.#close(isWhole && !this.#answer.stopped)
    this.give(words.length === 0 ? last : [...words, ...last])
  }
}

const nothing: readonly Event[] = []

function isSeen(event: Event): boolean {
  return !isAside(event)
}

/** How long a service is heard out that has nothing to add. */
const patienceMs = 1000

const late: Read = { done: true, value: undefined }

/** The next read, or the end when it does not come soon. */
function orEnd(read: Promise<Read>): Promise<Read> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), patienceMs)
    read.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether a service goes on although nothing further can matter. Text of the same read as the end does not count. */
function saysMore(event: UpstreamEvent, wasDone: boolean): boolean {
  if (event.type === 'text' || event.type === 'replace') return wasDone && event.text.trim() !== ''
  return event.type === 'call'
}
