import { type Event, isAside } from '../protocol/event.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import type { Answer } from './answer/answer.ts'
import type { Rescue } from './answer/rescue.ts'
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

type Batch = IteratorResult<readonly Event[], void>

const over: Batch = { done: true, value: undefined }

/**
 * One answer from its first word to its last. Leaving it early closes the connection. Not a generator: every read of an
 * answer goes through it.
 */
export function runTurn(
  speaker: Speaker,
  answer: Answer,
  signal: AbortSignal,
  count: (last: readonly Event[]) => Promise<readonly Event[]>,
  thread?: KeptThread,
  hear?: (events: readonly UpstreamEvent[]) => void,
): AsyncIterableIterator<readonly Event[], void> {
  const { rescue } = speaker
  const heard: Event[] = []
  let first: Read | undefined = speaker.first
  let isTold = false
  /** Nothing is read any more: what is left is the end. */
  let isHeardOut = false
  let isOver = false
  /** Came after what there was still to say, which goes before it. */
  let failure: { readonly thrown: unknown } | undefined

  function close(isWhole: boolean): void {
    if (isOver) return
    isOver = true
    if (isWhole) speaker.leave()
    else speaker.stop()
  }

  function fail(thrown: unknown): never {
    close(false)
    throw thrown
  }

  function next(): Promise<Batch> {
    if (isOver) return Promise.resolve(over)
    if (failure !== undefined) return Promise.reject(failure.thrown).catch(fail)
    if (isHeardOut) return end(false)
    if (first !== undefined) {
      const read = first
      first = undefined
      return new Promise((resolve) => resolve(read.done === true ? end(true) : tell(read.value)))
    }
    if (rescue?.isOver === true) return new Promise((resolve) => resolve(rescued(rescue)))
    return answer.done ? orEnd(speaker.rest.next()).then(take, lose) : speaker.rest.next().then(take, lose)
  }

  function take(read: Read): Batch | Promise<Batch> {
    if (isOver) return over
    if (read.done === true) return end(read !== late)
    if (rescue === undefined) return tell(read.value)
    try {
      const said = rescue.take(read.value)
      if (rescue.isOver) speaker.stop()
      return tell(said)
    } catch (thrown) {
      return lose(thrown)
    }
  }

  /** All was said that could be saved. */
  function rescued({ failure: broken }: Rescue): Batch | Promise<Batch> {
    return broken === undefined ? end(true) : lose(broken.thrown)
  }

  function tell(said: readonly UpstreamEvent[]): Batch | Promise<Batch> {
    try {
      hear?.(said)
      const wasDone = answer.done
      const events = answer.take(said)
      if (thread?.isKept === true) heard.push(...events)
      isTold ||= events.some((event) => !isAside(event))
      // Heard out while it adds nothing: its own usage is worth more than a guess, a connection that ends by itself can be
      // used again, and a service that keeps the conversation could not go on from an answer cut short.
      if (answer.done && said.some((event) => saysMore(event, wasDone))) isHeardOut = true
      if (isHeardOut) speaker.stop()
      return events.length > 0 ? { done: false, value: events } : next()
    } catch (thrown) {
      return fail(thrown)
    }
  }

  function lose(thrown: unknown): Batch | Promise<Batch> {
    if (isOver) return over
    const saved = rescue === undefined || rescue.isOver ? [] : rescue.fail(thrown)
    if (saved.length > 0) return tell(saved)
    if (answer.done && !signal.aborted) return end(false)
    // As long as nothing was told, the failure is all there is to tell: somebody else may still answer.
    if (signal.aborted || !isTold) return fail(thrown)
    const left = answer.die()
    if (left.length === 0) return fail(thrown)
    failure = { thrown }
    return { done: false, value: left }
  }

  async function end(isWhole: boolean): Promise<Batch> {
    try {
      const last = answer.end()
      if (thread?.isKept === true) await thread.tell([...heard, ...last])
      const value = await count(last)
      close(isWhole && !answer.stopped)
      return { done: false, value }
    } catch (thrown) {
      return fail(thrown)
    }
  }

  return {
    next,
    return() {
      close(false)
      return Promise.resolve(over)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
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
