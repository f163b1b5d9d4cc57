import type { GatewayError } from '../../../errors.ts'
import { isAside } from '../../../protocol/event.ts'
import { unfinished } from '../../../protocol/finish.ts'
import { comment, eventStream, type StreamPrinter } from '../../door.ts'
import { toResponseError } from '../errors.ts'
import type { State } from './envelope.ts'
import { createOutput, type Manner, type Output } from './output.ts'
import { createWire } from './wire.ts'

/** How a response is said. */
interface Answering {
  readonly manner: Manner
  readonly envelope: (state: State) => string
  /** The last state of a response; it is kept before it is told. */
  readonly conclude: (output: Output) => Promise<string>
}

/** A response as a stream of events. */
export function createStream({ manner, envelope, conclude }: Answering): StreamPrinter {
  const wire = createWire()
  const output = createOutput(manner, wire)
  let isOpen = false

  function open(): void {
    if (isOpen) return
    isOpen = true
    const response = envelope({ status: 'in_progress', output: [] })
    wire.raw('response.created', `"response":${response}`)
    wire.raw('response.in_progress', `"response":${response}`)
  }

  function fail(error: GatewayError): string {
    open()
    const { items, usage } = output
    const response = envelope({ status: 'failed', output: items, usage, error: toResponseError(error) })
    wire.raw('response.failed', `"response":${response}`)
    return wire.take()
  }

  return {
    contentType: eventStream,
    beat: comment,
    open: () => '',
    push(_choice, events) {
      if (!isOpen && !events.every(isAside)) open()
      output.push(events)
      return wire.take()
    },
    async end() {
      open()
      const response = await conclude(output)
      const isCut = output.finish === 'length' || output.finish === 'content_filter'
      wire.raw(isCut ? 'response.incomplete' : 'response.completed', `"response":${response}`)
      return wire.take()
    },
    fail,
    // Clients make room and go on after this inside a stream; as a status it ends their session.
    refuse: (error) => (error.code === 'context_length_exceeded' ? fail(error) : undefined),
  }
}

/** Of a response that was only prepared: the next one goes on from it. */
export function preparedState(completedAt: number): State {
  return { status: 'completed', output: [], usage: { promptTokens: 0, completionTokens: 0 }, completedAt }
}

/** The state of a response that is over. Throws when the model never finished. */
export function stateOf({ finish, items, usage }: Output, completedAt: number): State {
  if (finish === undefined) {
    throw unfinished()
  }
  const told = usage ?? { promptTokens: 0, completionTokens: 0 }
  if (finish === 'length' || finish === 'content_filter') {
    return { status: 'incomplete', output: items, usage: told, reason: finish }
  }
  return { status: 'completed', output: items, usage: told, completedAt }
}
