import type { Event } from '../../../protocol/event.ts'
import type { Hold } from '../events/hold.ts'
import type { Restore } from '../text/restore.ts'
import type { CallWatch } from '../watch/watch.ts'
import type { NativeCalls } from './native.ts'

interface Parts {
  readonly calls: NativeCalls
  readonly restore: Restore
  readonly watch: CallWatch
  readonly pipe: Hold
}

/** What native calls go through, beside what all events do. */
export class NativeHalf {
  readonly calls: NativeCalls
  readonly watch: CallWatch
  /** How many calls came to nothing and left words. */
  leftovers = 0
  readonly #restore: Restore
  readonly #pipe: Hold

  constructor({ calls, restore, watch, pipe }: Parts) {
    this.calls = calls
    this.watch = watch
    this.#restore = restore
    this.#pipe = pipe
  }

  /** What becomes of what the service called; `hasWords`: the answer has words already. */
  pass(events: readonly Event[], hasWords: boolean): readonly Event[] {
    const restored = this.#restore(events)
    const apart = restored.some(isLeft) ? restored.map((event) => this.#setApart(event, hasWords)) : restored
    return this.watch.pass(this.#pipe.pass(apart))
  }

  /** What is left of a call is a paragraph of its own: the words around it end where they end. */
  #setApart(event: Event, hasWords: boolean): Event {
    if (!isLeft(event)) return event
    const gap = hasWords || this.leftovers > 0 ? '\n\n' : ''
    this.leftovers += 1
    return event.type === 'text-delta' ? { ...event, text: gap + event.text } : { ...event, raw: gap + event.raw }
  }
}

/** What is left of a call that came to nothing. */
function isLeft(event: Event): event is Extract<Event, { type: 'call-error' | 'text-delta' }> {
  return event.type === 'call-error' || event.type === 'text-delta'
}
