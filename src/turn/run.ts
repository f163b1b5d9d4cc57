import { type Event, isAside } from '../protocol/event.ts'
import { createFlow, type Flow, type LoseBatch, pullFrom, type TakeBatch, Waiting } from '../protocol/flow.ts'
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
): Flow<readonly Event[]> {
  const { rescue } = speaker
  const heard: Event[] = []
  let first: Read | undefined = speaker.first
  let isTold = false
  /** Nothing further can matter, as of the last read. */
  let isDone = answer.done
  /** Nothing is read any more: what is left is the end. */
  let isHeardOut = false
  let isOver = false
  /** Came after what there was still to say, which goes before it. */
  let failure: { readonly thrown: unknown } | undefined
  const waiting = new Waiting<readonly Event[]>()

  function close(isWhole: boolean): void {
    if (isOver) return
    isOver = true
    if (isWhole) speaker.leave()
    else speaker.stop()
  }

  function fail(thrown: unknown): void {
    const lose = waiting.forget()
    close(false)
    lose?.(thrown)
  }

  function pull(take: TakeBatch<readonly Event[]>, lose: LoseBatch): void {
    if (isOver) return take(undefined)
    waiting.wait(take, lose)
    if (failure === undefined) goOn()
    else fail(failure.thrown)
  }

  function goOn(): void {
    if (isHeardOut) return void end(false)
    if (first !== undefined) {
      const read = first
      first = undefined
      return read.done === true ? void end(true) : tell(read.value)
    }
    if (rescue?.isOver === true) return rescued(rescue)
    if (isDone) void orEnd(speaker.rest.next()).then(takeLate, fallSilent)
    else pullFrom(speaker.rest, take, fallSilent)
  }

  function takeLate(read: Read): void {
    if (isOver) waiting.give(undefined)
    else if (read === late) void end(false)
    else take(read.done === true ? undefined : read.value)
  }

  function take(said: readonly UpstreamEvent[] | undefined): void {
    if (isOver) return waiting.give(undefined)
    if (said === undefined) return void end(true)
    if (rescue === undefined) return tell(said)
    let saved: readonly UpstreamEvent[]
    try {
      saved = rescue.take(said)
      if (rescue.isOver) speaker.stop()
    } catch (thrown) {
      return fallSilent(thrown)
    }
    tell(saved)
  }

  /** All was said that could be saved. */
  function rescued({ failure: broken }: Rescue): void {
    if (broken === undefined) void end(true)
    else fallSilent(broken.thrown)
  }

  function tell(said: readonly UpstreamEvent[]): void {
    let events: readonly Event[]
    try {
      hear?.(said)
      const wasDone = isDone
      events = answer.take(said)
      isDone = answer.done
      if (thread?.isKept === true) heard.push(...events)
      isTold ||= events.some((event) => !isAside(event))
      // Heard out while it adds nothing: its own usage is worth more than a guess, a connection that ends by itself can be
      // used again, and a service that keeps the conversation could not go on from an answer cut short.
      if (isDone && said.some((event) => saysMore(event, wasDone))) isHeardOut = true
      if (isHeardOut) speaker.stop()
    } catch (thrown) {
      return fail(thrown)
    }
    if (events.length > 0) waiting.give(events)
    else goOn()
  }

  function fallSilent(thrown: unknown): void {
    if (isOver) return waiting.give(undefined)
    const saved = rescue === undefined || rescue.isOver ? [] : rescue.fail(thrown)
    if (saved.length > 0) return tell(saved)
    if (isDone && !signal.aborted) return void end(false)
    // As long as nothing was told, the failure is all there is to tell: somebody else may still answer.
    if (signal.aborted || !isTold) return fail(thrown)
    const left = answer.die()
    if (left.length === 0) return fail(thrown)
    failure = { thrown }
    waiting.give(left)
  }

  async function end(isWhole: boolean): Promise<void> {
    try {
      const last = answer.end()
      if (thread?.isKept === true) await thread.tell([...heard, ...last])
      const counted = await count(last)
      close(isWhole && !answer.stopped)
      waiting.give(counted)
    } catch (thrown) {
      fail(thrown)
    }
  }

  return createFlow(pull, () => close(false))
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
