import type { Event } from '../../../protocol/event.ts'

/** Puts calls one after the other. */
export interface Order {
  pass(events: readonly Event[]): readonly Event[]
  /** No call is open. */
  isIdle(): boolean
}

/**
 * A service may write several calls at once, or speak while it writes one. Nobody further on has to know: what is said
 * while a call is open waits for its end, and so do other calls. Notes and figures belong to nobody and wait for nothing.
 */
export function createOrder(): Order {
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
    pass(events) {
      const [only] = events
      // Mostly it is more of the call that is open.
      if (events.length === 1 && only?.type === 'call-delta' && only.index === open) return events
      if (open === undefined && !events.some(({ type }) => type === 'call-start')) return events
      const out: Event[] = []
      for (const event of events) passOne(event, out)
      return out
    },
    isIdle: () => open === undefined,
  }
}

function isSaid({ type }: Event): boolean {
  return type !== 'note' && type !== 'usage' && type !== 'finish'
}
