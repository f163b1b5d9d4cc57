import type { Event } from '../../../protocol/event.ts'
import { joinMetadata } from '../../../protocol/provider-metadata.ts'
import type { Stage } from '../stage.ts'

interface Held {
  start: Extract<Event, { type: 'call-start' }>
  json: string
}

/**
 * Keeps a call back until it is complete, then lets it go at once; a call that never completes goes as the text it was.
 * `isWhole` asks, by the tool's name, whether a call has to be whole; those that begin after one that is kept wait as well, so
 * that calls leave in their order.
 */
export function createHold(isWhole: (name: string) => boolean): Stage {
  const held = new Map<number, Held>()

  function passOne(event: Event): readonly Event[] {
    if (event.type === 'call-start' && (isWhole(event.name) || held.size > 0)) {
      held.set(event.index, { start: event, json: '' })
      return []
    }
    const kept = event.type === 'provider-metadata' && event.index !== undefined ? held.get(event.index) : undefined
    if (event.type === 'provider-metadata' && kept !== undefined) {
      kept.start = { ...kept.start, metadata: joinMetadata(kept.start.metadata, event.fields) }
      return []
    }
    if (event.type !== 'call-delta' && event.type !== 'call-end' && event.type !== 'call-error') return [event]
    const call = held.get(event.index)
    if (call === undefined) return [event]
    if (event.type === 'call-delta') {
      call.json += event.json
      return []
    }
    held.delete(event.index)
    if (event.type === 'call-error') {
      return [
        { type: 'text-delta', text: event.raw },
        { type: 'note', kind: 'call_unfinished', detail: event.reason },
      ]
    }
    return [call.start, { type: 'call-delta', index: event.index, json: call.json }, event]
  }

  return { push: (events) => events.flatMap(passOne) }
}
