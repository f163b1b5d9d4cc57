import type { Attempt, Exchange } from '../../../src/traces/exchange.ts'
import { Duration, Status, way } from '../../list/cells.tsx'
import { inClock, inDate } from '../../text/words.ts'

/** What stands for the model where the request names none. */
function nameless({ state, error }: Exchange): string {
  if (state === 'open') return 'A request on its way'
  return error?.code === 'invalid_json' ? 'Unreadable request' : 'No model known'
}

/** The exchange in one line. */
export function Facts({ exchange, attempt }: { readonly exchange: Exchange; readonly attempt: Attempt | undefined }) {
  const { model, at, client, door, keyName, firstByteMs, totalMs } = exchange
  const service = attempt?.service ?? exchange.service
  return (
    <div class="facts">
      <h1 class="facts-model">{model ?? nameless(exchange)}</h1>
      <ul class="facts-list">
        <li class="muted" title={inDate(at)}>
          {inClock(at)}
        </li>
        <li>{way(attempt ?? exchange)}</li>
        <li>
          <Status summary={exchange} />
        </li>
        {firstByteMs !== undefined && (
          <li>
            <Duration ms={firstByteMs} /> <span class="muted">to first byte</span>
          </li>
        )}
        {totalMs !== undefined && (
          <li>
            <Duration ms={totalMs} /> <span class="muted">in all</span>
          </li>
        )}
        <li class="muted">
          {client}
          {keyName === undefined ? '' : ` (${keyName})`} via {door}
        </li>
        {service !== undefined && <li class="muted">{service}</li>}
      </ul>
    </div>
  )
}
