import type { Event } from '../../../protocol/event.ts'
import type { Stage } from '../stage.ts'

/**
 * Puts calls one after the other. A service may write several at once, or speak while it writes one: what is said while a
 * call is open waits for its end, and so do other calls. Notes and figures wait for nothing.
 */
export function createOrder(): Stage {
  let open: number | undefined
  let waiting: Event[] = []

  function passOne(event: Event, out: Event[]): void {
    if (open === undefined) {
      if (event.type === 'call-start') open = event.index
      out.push(event)
      return
    }
    if (!isSaid(event)) out.push(event)
    else if (!('index' in event) || event.index !== open) waiting.push(event)
    else {
      out.push(event)
      if (event.type !== 'call-end' && event.type !== 'call-error') return
      open = undefined
      const late = waiting
      waiting = []
      for (const one of late) passOne(one, out)
    }
  }

  return {
    push(events) {
      const out: Event[] = []
      for (const event of events) passOne(event, out)
      return out
    },
  }
}

function isSaid({ type }: Event): boolean {
  return type !== 'note' && type !== 'usage' && type !== 'finish'
}

export interface Numbering extends Stage {
  /** The names of the calls that were completed. */
  readonly ended: readonly string[]
}

/** Numbers the calls that leave, in the order they start, wherever they were found. */
export function createNumbering(): Numbering {
  const numbers = new Map<number, number>()
  const names: string[] = []
  const ended: string[] = []

  function numbered(event: Event): Event {
    if (!('index' in event) || event.index === undefined) return event
    const index = numbers.get(event.index) ?? numbers.size
    numbers.set(event.index, index)
    if (event.type === 'call-start') names[index] = event.name
    if (event.type === 'call-end') ended.push(names[index] ?? '')
    return { ...event, index }
  }

  return { push: (events) => events.map(numbered), ended }
}
