import { GatewayError } from '../../errors.ts'
import type { UpstreamEvent } from '../upstream.ts'

/** The text of a bot, which may take back all of it and say something else. */
export interface BotText {
  add(text: string): void
  replace(text: string): void
  /** Adds what may leave now to `into`. */
  settle(into: UpstreamEvent[]): void
  end(into: UpstreamEvent[]): void
}

/**
 * What has left cannot be taken back, so a new text must begin with it, and only the rest of it leaves. Bots that count
 * the seconds they think replace one line many times: so a replacement waits for words that are added to it, or for the end.
 */
export function createBotText(): BotText {
  let left = ''
  /** What has left and the new text has not come to yet. */
  let owed = ''
  let fresh = ''
  let isWaiting = false
  let note: readonly UpstreamEvent[] = []

  function take(text: string): void {
    const known = Math.min(text.length, owed.length)
    if (text.slice(0, known) !== owed.slice(0, known)) throw takenBack()
    owed = owed.slice(known)
    fresh += text.slice(known)
  }

  function settle(into: UpstreamEvent[]): void {
    if (isWaiting || fresh === '') return
    into.push(...note, { type: 'text', text: fresh })
    left += fresh
    fresh = ''
    note = []
  }

  return {
    add(text) {
      isWaiting = false
      take(text)
    },
    replace(text) {
      const said = left.slice(0, left.length - owed.length) + fresh
      if (said !== '' && text.startsWith(said)) return take(text.slice(said.length))
      if (said !== '') note = [{ type: 'note', kind: 'text_replaced' }]
      owed = left
      fresh = ''
      isWaiting = true
      take(text)
    },
    settle,
    end(into) {
      if (owed !== '') throw takenBack()
      isWaiting = false
      settle(into)
    },
  }
}

function takenBack(): GatewayError {
  return new GatewayError('upstream_error', 'The model server changed text that it had already sent.')
}
