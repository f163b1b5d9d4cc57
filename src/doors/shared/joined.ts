import type { Event } from '../../protocol/event.ts'

/** Pieces of one kind that arrived together, as one. Notes are for logs and headers, not for a wire. */
export function joined(events: readonly Event[]): readonly Event[] {
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
  switch (first.type) {
    case 'text-delta':
      return second.type === 'text-delta' ? { ...first, text: first.text + second.text } : undefined
    case 'reasoning-delta':
      return second.type === 'reasoning-delta' ? { ...first, text: first.text + second.text } : undefined
    case 'call-delta':
      return second.type === 'call-delta' ? { ...first, json: first.json + second.json } : undefined
    default:
      return undefined
  }
}
