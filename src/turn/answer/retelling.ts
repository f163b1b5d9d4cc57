import { Pieces } from '../../engine/text/pieces.ts'
import { GatewayError } from '../../errors.ts'
import type { Event } from '../../protocol/event.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'

/**
 * The last gate for what was read out of text. A service may take back what it said and say something else: what has
 * left cannot be taken back, so the new words must begin with it, and only the rest of them leaves.
 */
export interface Retelling {
  pass(events: readonly Event[]): readonly Event[]
  /** From here on the answer is told again from its beginning. Throws when a call has left. */
  restart(): void
  /** Throws when the second telling was shorter than what had left of the first. */
  end(): void
}

export function createRetelling(): Retelling {
  const sent = new Pieces()
  let called = false
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
    const fresh = text.slice(known)
    sent.push(fresh)
    return fresh === '' ? [] : [{ type: 'text-delta', text: fresh }]
  }

  return {
    pass(events) {
      // Mostly nothing is told again.
      if (owed !== '' || events.some(isEmpty)) return events.flatMap(passOne)
      for (const event of events) {
        if (event.type === 'text-delta') sent.push(event.text)
        else if (event.type === 'call-start') called = true
      }
      return events
    },
    restart() {
      if (called) throw takenBack()
      owed = sent.toString()
    },
    end() {
      if (owed !== '') throw takenBack()
    },
  }
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
