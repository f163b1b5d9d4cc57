import { type Event, isAside } from '../protocol/event.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import type { Answer } from './answer/answer.ts'
import type { KeptThread } from './thread.ts'

type Reads = AsyncIterable<readonly UpstreamEvent[]>

interface Run {
  /** Asks the service. */
  readonly chat: (signal: AbortSignal) => Reads
  readonly answer: Answer
  readonly signal: AbortSignal
  /** The last events of an answer with their figures, at once where they are known. */
  readonly count: (last: readonly Event[]) => readonly Event[] | Promise<readonly Event[]>
  /** The conversation the answer belongs to, where that is kept. */
  readonly thread?: KeptThread | undefined
}

/** One answer from its first word to its last, a batch for each read. Leaving it early closes the connection. */
export async function* runTurn({ chat, answer, signal, count, thread }: Run): AsyncGenerator<readonly Event[], void> {
  const controller = new AbortController()
  const cancel = (): void => controller.abort(signal.reason)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  const reads = chat(controller.signal)[Symbol.asyncIterator]()
  const told: Event[] = []
  /** Said together with the finish: leaves with the end, in one write. */
  let lastWords: readonly Event[] = []
  let hasSpoken = false
  let failure: { readonly thrown: unknown } | undefined
  try {
    for (;;) {
      const wasDone = answer.done
      const read = await (wasDone ? orEnd(reads.next()) : reads.next()).catch((thrown: unknown) => {
        failure = { thrown }
        return ended
      })
      if (read.done === true) break
      const said = read.value
      const events = answer.take(said)
      if (thread?.isKept === true) told.push(...events)
      hasSpoken ||= events.some((event) => !isAside(event))
      lastWords = lastWords.length === 0 ? events : [...lastWords, ...events]
      // Read on while it adds nothing: its own usage is worth more than a guess, a connection that ends by itself can be
      // used again, and a service that keeps the conversation could not go on from an answer cut short.
      if (answer.done && said.some((event) => saysMore(event, wasDone))) break
      if (said.at(-1)?.type === 'finish' || lastWords.length === 0) continue
      yield lastWords
      lastWords = []
    }
    if (failure !== undefined && (!answer.done || signal.aborted)) {
      // As long as nothing was said, the failure is all there is to tell: another service may still answer.
      const left = signal.aborted || !hasSpoken ? [] : [...lastWords, ...answer.die()]
      if (left.length > 0) yield left
      throw failure.thrown
    }
    const last = answer.end()
    if (thread?.isKept === true) await thread.tell([...told, ...last])
    const counted = await count(last)
    controller.abort(over)
    yield [...lastWords, ...counted]
  } finally {
    signal.removeEventListener('abort', cancel)
    controller.abort(over)
    void reads.return?.().catch(() => undefined)
  }
}

/** Made once: with its stack, one costs as much as a short answer's words. */
const over = new DOMException('The turn is over.', 'AbortError')

/** How long a service is read on that has nothing to add. */
const patienceMs = 1000

const ended: IteratorReturnResult<void> = { done: true, value: undefined }

/** The next read, or the end when it does not come soon. */
function orEnd<T>(read: Promise<IteratorResult<T, unknown>>): Promise<IteratorResult<T, unknown>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(ended), patienceMs)
    read.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether a service goes on although nothing further can matter. Text of the same read as the end does not count. */
function saysMore(event: UpstreamEvent, wasDone: boolean): boolean {
  if (event.type === 'text') return wasDone && event.text.trim() !== ''
  return event.type === 'call'
}
