import type { ComponentChildren } from 'preact'
import type { Payload, State } from '../../../src/traces/exchange.ts'
import { inDigits } from '../../text/words.ts'

/** Why the client has got nothing. */
export function silence(state: State): string {
  if (state === 'open') return 'Nothing yet.'
  return state === 'aborted' ? 'The client went away before it got anything.' : 'The answer is empty.'
}

/** Says why there is no text where one would be. */
export function Absent({ hasBodies, children }: { readonly hasBodies: boolean; readonly children: ComponentChildren }) {
  if (hasBodies) return <p class="pane-empty muted">{children}</p>
  return (
    <p class="pane-empty muted">
      Texts aren't recorded here. Set <code>traces: bodies: true</code> in the config file to keep them.
    </p>
  )
}

/** Says that only the beginning was kept. */
export function Truncated({
  payload,
}: {
  readonly payload: Pick<Payload, 'isTruncated' | 'length'> & { readonly text: string }
}) {
  if (!payload.isTruncated) return null
  return (
    <p class="truncated small">
      ✂ Only the first {inDigits(payload.text.length)} of {inDigits(payload.length)} characters were kept.
    </p>
  )
}
