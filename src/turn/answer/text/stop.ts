import type { Event } from '../../../protocol/event.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { Stage } from '../stage.ts'

/** Ends the text of an answer where the client wanted it to end, for services that go on. */
export interface StopCut extends Stage {
  readonly isCut: boolean
  /** The stop it was cut at. */
  readonly found: string | undefined
}

/** Looks at text only: a stop inside the arguments of a call would leave half a call. */
export function createStopCut(stops: readonly string[]): StopCut {
  const wanted = stops.filter((stop) => stop !== '')
  let held = ''

  function release(length = held.length): readonly Event[] {
    const text = held.slice(0, length)
    held = held.slice(length)
    return text === '' ? [] : [{ type: 'text-delta', text }]
  }

  function findFirst(): { readonly stop: string; readonly at: number } | undefined {
    const places = wanted.map((stop) => ({ stop, at: held.indexOf(stop) })).filter(({ at }) => at !== -1)
    return places.toSorted((one, other) => one.at - other.at)[0]
  }

  /** No more text comes to what is held. */
  function settle(first = findFirst()): readonly Event[] {
    if (first === undefined) return release()
    cut.isCut = true
    cut.found = first.stop
    held = held.slice(0, first.at)
    return release()
  }

  function passOne(event: Event): readonly Event[] {
    const isAbout = event.type === 'note' || event.type === 'remarks' || event.type === 'logprobs'
    if (cut.isCut) return isAbout ? [event] : []
    if (isAbout || event.type === 'reasoning-delta' || event.type === 'refusal-delta') return [event]
    if (event.type !== 'text-delta') {
      const rest = settle()
      return cut.isCut ? rest : [...rest, event]
    }
    held += event.text
    const first = findFirst()
    const open = held.length - Math.max(...wanted.map((stop) => overlap(held, stop)))
    // One that began before it may still come to its end.
    return first !== undefined && first.at <= open ? settle(first) : release(open)
  }

  const cut: Writable<StopCut> = {
    isCut: false,
    found: undefined,
    push: (events) => (wanted.length === 0 ? events : events.flatMap(passOne)),
    end: () => settle(),
  }
  return cut
}

/** How many characters at the end of the text could be the beginning of the mark. */
export function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}
