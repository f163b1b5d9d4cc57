import type { Event } from '../../src/protocol/event.ts'
import { toGlyphs } from '../text/invisible.ts'
import type { Step } from './engine.ts'

const shown = 60

/** The last pushes: what went in, what came out. */
export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const first = Math.max(0, steps.length - shown)
  return (
    <>
      {first > 0 && (
        <p class="muted small">
          The last {shown} of {steps.length}.
        </p>
      )}
      <ol class="steps" start={first + 1}>
        {steps.slice(first).map(({ given, events }, i) => (
          <li key={first + i} class="step">
            <span class="step-given">{given === '' ? <em class="muted">end</em> : visible(given)}</span>
            <span class="step-events">
              {events.length === 0 && <span class="muted">held back</span>}
              {events.map((event, k) => (
                <span key={k} class={`step-event is-${event.type}`}>
                  {inShort(event)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function inShort(event: Event): string {
  switch (event.type) {
    case 'text-delta':
      return visible(event.text)
    case 'reasoning-delta':
      return `thought ${visible(event.text)}`
    case 'call-start':
      return `call ${event.index + 1} ${event.name}`
    case 'call-delta':
      return visible(event.json)
    case 'call-end':
      return `call ${event.index + 1} complete`
    case 'call-error':
      return `call ${event.index + 1} ${event.reason}`
    case 'note':
      return `✎ ${event.kind}`
    case 'finish':
      return `finish ${event.reason}`
    default:
      return event.type
  }
}

function visible(text: string): string {
  return toGlyphs(text)
    .map(({ text: piece, shown: glyph }) => glyph ?? piece)
    .join('')
}
