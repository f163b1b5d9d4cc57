import type { Attempt, Exchange, NoteView } from '../../../src/traces/exchange.ts'
import { lit } from '../../text/lit.ts'
import { Payload } from '../../text/payload.tsx'
import { showCall } from '../calls/joints.tsx'
import { callKey, cutsOf, marksOfSpans } from '../calls/marks.ts'
import { Absent, Truncated } from './states.tsx'

/** What the model said, before anything was made of it, and what became of each part. */
export function SaidView({
  exchange,
  attempt,
}: {
  readonly exchange: Exchange
  readonly attempt: Attempt | undefined
}) {
  if (attempt === undefined)
    return <p class="pane-empty muted">{exchange.state === 'open' ? 'Not asked yet.' : 'No model was asked.'}</p>
  const { said, spans, choice, failure } = attempt
  const isSilent = said.text === '' && said.thoughts === '' && said.calls.length === 0
  return (
    <>
      {said.thoughts !== '' && (
        <section class="said-thoughts">
          <h3 class="message-head">
            <span class="role">thoughts</span> <span class="muted small">sent apart by the model server</span>
          </h3>
          <Payload text={said.thoughts} />
        </section>
      )}
      {said.text !== '' && (
        <Payload text={said.text} marks={marksOfSpans(said.text, spans, choice)} cuts={cutsOf(attempt)} />
      )}
      {said.calls.map((call, i) => {
        const key = callKey(choice, call.index ?? i)
        return (
          <div
            key={i}
            class={`native-call${lit.call.value === key ? ' lit' : ''}`}
            data-call={key}
            onMouseEnter={() => lit.enter(key)}
            onMouseLeave={lit.leave}
            onClick={() => showCall(key)}
          >
            <div class="call-head">
              <span class="badge call">native call {(call.index ?? i) + 1}</span>{' '}
              <span class="call-name">{call.name}</span> <span class="muted small">{call.id ?? 'no id'}</span>
            </div>
            <Payload text={call.arguments} />
          </div>
        )
      })}
      {isSilent &&
        (said.length > 0 ? (
          <Absent hasBodies={exchange.hasBodies}>The model said nothing.</Absent>
        ) : (
          <p class="pane-empty muted">{silence(exchange)}</p>
        ))}
      <Truncated payload={{ text: said.text, length: said.length, isTruncated: said.isTruncated }} />
      {exchange.state === 'open' && <p class="streaming small">● still speaking</p>}
      {failure !== undefined && (
        <p class="failure small">
          ✕ {failure.message} <span class="muted">{failure.code}</span>
        </p>
      )}
    </>
  )
}

function silence(exchange: Exchange): string {
  return exchange.state === 'open' ? 'Waiting for the first word…' : 'The model said nothing.'
}

/** Notes that are about this call. */
export function notesOf(exchange: Exchange, index: number): readonly NoteView[] {
  return exchange.told.filter(({ call }) => call === index)
}
