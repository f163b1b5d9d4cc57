import type { Event } from '../../protocol/event.ts'

/** Joins deltas of one kind that arrived together. Notes are for logs and headers: doors print none. */
export function joinDeltas(events: readonly Event[]): readonly Event[] {
  if (events.length < 2) return events
  const out: Event[] = []
  for (const event of events) {
    if (event.type === 'note') continue
    const last = out.at(-1)
    const both = last === undefined ? undefined : join(last, event)
    if (both === undefined) out.push(event)
    else out[out.length - 1] = both
  }
  return out
}

function join(first: Event, second: Event): Event | undefined {
  if (first.type === 'call-delta') {
    const goesOn = second.type === 'call-delta' && second.index === first.index
    return goesOn ? { ...first, json: first.json + second.json } : undefined
  }
  if (first.type !== 'text-delta' && first.type !== 'refusal-delta' && first.type !== 'reasoning-delta')
    return undefined
  return second.type === first.type ? { ...first, text: first.text + second.text } : undefined
}
