import type { Event } from '../protocol/event.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import type { Answer } from './answer.ts'

type Read = IteratorResult<readonly UpstreamEvent[], unknown>

/** A service that began to answer. The first read is already in, so that a refusal is known before anything is promised. */
export interface Speaker {
  readonly first: Read
  readonly rest: AsyncIterator<readonly UpstreamEvent[]>
  /** Closes the connection; harmless when it is closed already. */
  stop(): void
}

/** Asks a service and waits for its first words. */
export async function listen(
  chat: (signal: AbortSignal) => AsyncIterable<readonly UpstreamEvent[]>,
  signal: AbortSignal,
): Promise<Speaker> {
  const controller = new AbortController()
  const rest = chat(AbortSignal.any([signal, controller.signal]))[Symbol.asyncIterator]()
  const stop = () => {
    controller.abort()
    // A generator that waits for its connection ends by the abort, and that is not a failure of this turn.
    rest.return?.().catch(() => undefined)
  }
  try {
    return { first: await rest.next(), rest, stop }
  } catch (thrown) {
    stop()
    throw thrown
  }
}

/** One answer from its first word to its last. Leaving it early closes the connection. */
export async function* runTurn(
  speaker: Speaker,
  answer: Answer,
  signal: AbortSignal,
): AsyncGenerator<readonly Event[], void> {
  try {
    let read = speaker.first
    while (read.done !== true) {
      const events = answer.take(read.value)
      if (events.length > 0) yield events
      if (answer.done) {
        speaker.stop()
        break
      }
      try {
        read = await speaker.rest.next()
      } catch (thrown) {
        const left = signal.aborted ? [] : answer.die()
        if (left.length > 0) yield left
        throw thrown
      }
    }
    yield answer.end()
  } finally {
    speaker.stop()
  }
}
