import { useSignal } from '@preact/signals'
import type { Exchange, GotCall } from '../../../src/traces/exchange.ts'
import { prettyJson } from '../../text/json.ts'
import { lit } from '../../text/lit.ts'
import { Payload } from '../../text/payload.tsx'
import { showCall } from '../calls/joints.tsx'
import { callKey } from '../calls/marks.ts'
import { gathered } from '../gathered.ts'
import { notesOf } from './said.tsx'
import { Absent, silence, Truncated } from './states.tsx'

/** What the client got: the answer put together, or the bytes. */
export function GotView({ exchange }: { readonly exchange: Exchange }) {
  const isRaw = useSignal(false)
  const { got, error } = exchange
  const isEmpty = got.text === '' && got.thoughts === '' && got.calls.length === 0
  return (
    <>
      {got.body !== undefined && got.body.text !== '' && (
        <button
          type="button"
          class="button plain small raw-toggle"
          aria-pressed={isRaw.value}
          onClick={() => (isRaw.value = !isRaw.value)}
        >
          As it went over the wire
        </button>
      )}
      {error !== undefined && (
        <div class="got-error">
          <p>
            <strong>✕ {exchange.status ?? ''}</strong> <code>{error.code}</code>
          </p>
          <p>{error.message}</p>
        </div>
      )}
      {isRaw.value && got.body !== undefined ? (
        <>
          <Payload text={got.body.text} />
          <Truncated payload={got.body} />
        </>
      ) : (
        <>
          {got.thoughts !== '' && (
            <section class="said-thoughts">
              <h3 class="message-head">
                <span class="role">reasoning</span>
              </h3>
              <Payload text={got.thoughts} />
            </section>
          )}
          {got.text !== '' && (
            <section>
              <h3 class="message-head">
                <span class="role">content</span>
              </h3>
              <Payload text={got.text} />
            </section>
          )}
          {got.calls.map((call) => (
            <CallView key={callKey(call.choice, call.index)} call={call} exchange={exchange} />
          ))}
          {isEmpty && error === undefined && <Absent hasBodies={exchange.hasBodies}>{silence(exchange.state)}</Absent>}
          {got.finish !== undefined && (
            <p class="finish small muted">
              finish reason <code>{got.finish}</code>
            </p>
          )}
        </>
      )}
    </>
  )
}

function CallView({ call, exchange }: { readonly call: GotCall; readonly exchange: Exchange }) {
  const key = callKey(call.choice, call.index)
  const notes = notesOf(exchange, call.index)
  return (
    <div
      class={`got-call${lit.call.value === key ? ' lit' : ''}${call.isComplete ? '' : ' cut-off'}`}
      data-call={key}
      onMouseEnter={() => lit.enter(key)}
      onMouseLeave={lit.leave}
    >
      <button
        type="button"
        class="call-head"
        title="Show where the model said it"
        onFocus={() => lit.enter(key)}
        onBlur={lit.leave}
        onClick={() => showCall(key)}
      >
        <span class="badge call">call {call.index + 1}</span> <span class="call-name">{call.name}</span>{' '}
        <span class="muted small clip">{call.id}</span>
      </button>
      <Payload text={prettyJson(call.arguments)} />
      {!call.isComplete && <p class="call-note warn small">▲ Cut off: the client was not told that it is complete.</p>}
      {gathered(notes).map(({ note: { kind, words, detail }, times }, i) => (
        <p class="call-note small" key={i}>
          ✎ {words ?? kind} {detail !== undefined && <code>{detail}</code>} {times > 1 && `×${times}`}
        </p>
      ))}
    </div>
  )
}
