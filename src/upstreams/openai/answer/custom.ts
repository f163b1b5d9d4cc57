import { fromCustomArguments } from '../../../protocol/custom.ts'
import type { UpstreamEvent } from '../../upstream.ts'
import type { EventStep } from '../../wire/stream.ts'

type Piece = Extract<UpstreamEvent, { type: 'call' }>

interface Held {
  readonly piece: Piece
  json: string
}

/**
 * Calls of custom tools from a service that knows functions only: their one argument, once it is whole, is the text the
 * tool takes. A call is known by its number or, without one, by being the last.
 */
export function fromFunctions(custom: ReadonlySet<string>): EventStep {
  const held: Held[] = []
  let last: Held | undefined

  function take(event: UpstreamEvent): readonly UpstreamEvent[] {
    if (event.type === 'finish') return [...held.splice(0).map(toText), event]
    if (event.type !== 'call') return [event]
    const known = event.index === undefined ? last : held.find(({ piece }) => piece.index === event.index)
    const isNew = event.name !== undefined && (known === undefined || isAnother(known.piece, event))
    if (!isNew && known === undefined) return [event]
    if (!isNew) {
      if (known !== undefined) known.json += event.json ?? ''
      return []
    }
    // Calls leave in the order they were made.
    const whole = held.splice(0).map(toText)
    last = undefined
    if (!custom.has(event.name ?? '')) return [...whole, event]
    const { json = '', ...piece } = event
    last = { piece, json }
    held.push(last)
    return whole
  }

  return { pass: (events) => events.flatMap(take) }
}

function isAnother(known: Piece, { id, name }: Piece): boolean {
  return id === undefined ? name !== known.name : id !== known.id
}

function toText({ piece, json }: Held): UpstreamEvent {
  return { ...piece, json: fromCustomArguments(json) }
}
