import { severityOf } from '../../src/protocol/trace/change.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import { isRemarkable } from '../text/remarkable.ts'
import { showCall } from './calls/joints.tsx'
import { callKey } from './calls/marks.ts'
import { gathered } from './gathered.ts'

/** What was out of the ordinary, as sentences with their names small behind them. */
export function NotesView({ exchange }: { readonly exchange: Exchange }) {
  const told = exchange.told.filter(({ kind }) => isRemarkable(kind))
  if (told.length === 0)
    return <p class="muted small">{exchange.state === 'done' ? 'Nothing had to be put right.' : 'No notes.'}</p>
  return (
    <ul class="notes">
      {gathered(told).map(({ note: { kind, words, detail, call }, times }, i) => {
        const isWarning = severityOf(kind) !== 'info'
        return (
          <li key={i} class={isWarning ? 'note warning' : 'note'}>
            <span class={isWarning ? 'warn' : 'muted'} aria-hidden="true">
              {isWarning ? '▲' : '✎'}
            </span>
            <span>
              {isWarning && <span class="hidden-label">Warning: </span>}
              {words ?? inPlain(kind)} {detail !== undefined && detail !== '' && <code class="detail">{detail}</code>}{' '}
              {times > 1 && <span class="small">×{times} </span>}
              <span class="muted small">{kind}</span>
              {call !== undefined && (
                <>
                  {' '}
                  <button type="button" class="button link small" onClick={() => showCall(callKey(0, call))}>
                    call {call + 1}
                  </button>
                </>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function inPlain(kind: string): string {
  const words = kind.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** Everything that was done on the way, in order. */
export function ChangesView({ exchange }: { readonly exchange: Exchange }) {
  if (exchange.changes.length === 0) return null
  return (
    <details class="changes small">
      <summary>Everything Dragoman did, in order ({exchange.changes.length})</summary>
      <ol>
        {exchange.changes.map(({ kind, words, detail }, i) => (
          <li key={i}>
            {words ?? inPlain(kind)} {detail !== undefined && <code class="detail">{detail}</code>}{' '}
            <span class="muted">{kind}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
