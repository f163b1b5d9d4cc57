import { GatewayError } from '../../../errors.ts'
import type { Event } from '../../../protocol/event.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { UpstreamEvent } from '../../../upstreams/upstream.ts'

/**
 * The last gate for what was read out of text. A service may take back what it said and say something else: what has
 * left cannot be taken back, so the new words must begin with it, and only the rest of them leaves.
 */
export interface Retelling {
  pass(events: readonly Event[]): readonly Event[]
  /** Nothing is told again. */
  readonly isIdle: boolean
  /**
   * From here on the answer is told again from its beginning. So many characters of text have left beside it. `words` tells
   * all that was made of the answer so far: nobody keeps what has left, because hardly any service takes something back.
   * Throws when a call has left.
   */
  restart(beside: number, words: () => string): void
  /** Throws when the second telling was shorter than what had left of the first. */
  end(): void
}

export function createRetelling(): Retelling {
  let called = false
  /** The characters of text that have left of this telling, or had left before. */
  let length = 0
  /** What the client has already and the new telling has not come to yet. */
  let owed = ''

  function passOne(event: Event): readonly Event[] {
    if (event.type === 'text-delta') return passText(event.text)
    if (event.type === 'call-start') {
      if (owed !== '') throw takenBack()
      called = true
    }
    return [event]
  }

  function passText(text: string): readonly Event[] {
    const known = Math.min(text.length, owed.length)
    if (text.slice(0, known) !== owed.slice(0, known)) throw takenBack()
    owed = owed.slice(known)
    retelling.isIdle = owed === ''
    const fresh = text.slice(known)
    length += text.length
    return fresh === '' ? [] : [{ type: 'text-delta', text: fresh }]
  }

  const retelling: Writable<Retelling> = {
    isIdle: true,
    pass(events) {
      // Mostly nothing is told again.
      if (owed !== '' || events.some(isEmpty)) return events.flatMap(passOne)
      for (const event of events) {
        if (event.type === 'text-delta') length += event.text.length
        else if (event.type === 'call-start') called = true
      }
      return events
    },
    restart(beside, words) {
      if (called) throw takenBack()
      const left = length + beside
      owed = (left === 0 ? '' : words().slice(0, left)) + owed
      retelling.isIdle = owed === ''
      length = 0
    },
    end() {
      if (owed !== '') throw takenBack()
    },
  }
  return retelling
}

function isEmpty(event: Event): boolean {
  return event.type === 'text-delta' && event.text === ''
}

/** What one read says, without what the same read takes back: that has not left. */
export function withoutTakenBack(said: readonly UpstreamEvent[]): readonly UpstreamEvent[] {
  if (said.length === 1) return said
  const last = said.findLastIndex(({ type }) => type === 'replace')
  return last < 0 ? said : said.filter(({ type }, index) => index >= last || (type !== 'text' && type !== 'replace'))
}

function takenBack(): GatewayError {
  return new GatewayError('upstream_error', 'The model server changed text that it had already sent.')
}
