import type { Event } from '../../protocol/event.ts'
import type { Writable } from '../../protocol/writable.ts'

/** Ends the text of an answer where the client wanted it to end, for services that go on. */
export interface StopCut {
  /** What may leave now; nothing after the stop. */
  pass(events: readonly Event[]): readonly Event[]
  /** The text that was held because it could have become a stop. */
  end(): readonly Event[]
  readonly isCut: boolean
  /** The stop it was cut at. */
  readonly found: string | undefined
}

/** Looks at text only: a stop inside the arguments of a call would leave half a call. */
export function createStopCut(stops: readonly string[]): StopCut {
  const wanted = stops.filter((stop) => stop !== '')
  let held = ''

  function release(): readonly Event[] {
    const text = held
    held = ''
    return text === '' ? [] : [{ type: 'text-delta', text }]
  }

  function passOne(event: Event): readonly Event[] {
    if (cut.isCut) return event.type === 'note' ? [event] : []
    if (event.type === 'note' || event.type === 'reasoning-delta') return [event]
    if (event.type !== 'text-delta') return [...release(), event]
    held += event.text
    const places = wanted.map((stop) => ({ stop, at: held.indexOf(stop) })).filter(({ at }) => at !== -1)
    const [first] = places.toSorted((one, other) => one.at - other.at)
    if (first !== undefined) {
      cut.isCut = true
      cut.found = first.stop
      held = held.slice(0, first.at)
      return release()
    }
    const keep = Math.max(...wanted.map((stop) => overlap(held, stop)))
    const text = held.slice(0, held.length - keep)
    held = held.slice(held.length - keep)
    return text === '' ? [] : [{ type: 'text-delta', text }]
  }

  const cut: Writable<StopCut> = {
    isCut: false,
    found: undefined,
    pass: (events) => (wanted.length === 0 ? events : events.flatMap(passOne)),
    end: release,
  }
  return cut
}

/** How many characters at the end of the text could be the beginning of the stop. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length--) {
    if (text.endsWith(stop.slice(0, length))) return length
  }
  return 0
}
