import { useSignal } from '@preact/signals'
import type { Exchange, SentMessage, Summary } from '../../src/traces/exchange.ts'
import { hrefs } from '../app/route.ts'
import { marksOfSegments } from '../exchange/calls/marks.ts'
import { MessageView } from '../exchange/panes/message.tsx'
import { Absent, silence } from '../exchange/panes/states.tsx'
import { Calls, Duration, Notes, Status, Tokens } from '../list/cells.tsx'
import { prettyJson } from '../text/json.ts'
import { Payload } from '../text/payload.tsx'
import { counted, inClock, inLength } from '../text/words.ts'
import { type Comparison, comparePrompts } from './compare.ts'
import { SessionTurn } from './session.tsx'

/** A turn that could not be read shows what the list knows of it, and why: the others are shown all the same. */
export type Turn = { readonly exchange: Exchange } | { readonly summary: Summary; readonly why: string }

export const summaryOf = (turn: Turn): Summary => ('exchange' in turn ? turn.exchange : turn.summary)

interface TurnProps {
  readonly nth: number
  readonly turn: Turn
  /** What the model was last sent before. */
  readonly before: readonly SentMessage[] | undefined
  /** With the prompt that was sent, compared with that of the turn before. */
  readonly hasPrompt: boolean
}

export function TurnView({ nth, turn, before, hasPrompt }: TurnProps) {
  const summary = summaryOf(turn)
  return (
    <li class="turn">
      <header class="turn-head">
        <h2>
          <a href={hrefs.exchange(summary.id)}>Turn {nth}</a>
        </h2>
        <span class="muted">{inClock(summary.at)}</span>
        <Status summary={summary} />
        <Duration ms={summary.totalMs} />
        <Tokens usage={summary.usage} />
        <Calls count={summary.calls} />
        <Notes notes={summary.notes} />
      </header>
      {'exchange' in turn ? (
        hasPrompt ? (
          <Said nth={nth} exchange={turn.exchange} before={before} />
        ) : (
          <SessionTurn exchange={turn.exchange} />
        )
      ) : (
        <p class="turn-lost error">✕ {turn.why}</p>
      )}
    </li>
  )
}

interface SaidProps {
  readonly nth: number
  readonly exchange: Exchange
  readonly before: readonly SentMessage[] | undefined
}

/** What was added to the prompt, and the answer to it. */
function Said({ nth, exchange, before }: SaidProps) {
  const messages = promptOf(exchange)
  const comparison = messages === undefined || before === undefined ? undefined : comparePrompts(before, messages)
  return (
    <>
      {comparison !== undefined && <Shared comparison={comparison} cached={exchange.usage?.cachedTokens} />}
      <div class="turn-columns">
        <section aria-label={`Turn ${nth}: what was added to the prompt`}>
          <Added
            messages={comparison?.added ?? messages}
            isFirst={comparison === undefined}
            hasBodies={exchange.hasBodies}
          />
        </section>
        <section aria-label={`Turn ${nth}: the answer`}>
          <Answer exchange={exchange} />
        </section>
      </div>
    </>
  )
}

export function promptOf({ attempts }: Exchange): readonly SentMessage[] | undefined {
  return attempts.at(-1)?.sent.messages
}

/** How much of the prompt was there before: as a bar, and in words. */
function Shared({ comparison, cached }: { readonly comparison: Comparison; readonly cached: number | undefined }) {
  const { shared, sharedLength, length, breaksAt, added } = comparison
  const percent = length === 0 ? 0 : Math.round((sharedLength / length) * 100)
  return (
    <div class={breaksAt === undefined ? 'shared' : 'shared broken'}>
      <div class="shared-bar" aria-hidden="true">
        <span class="shared-part" style={{ width: `${percent}%` }} />
      </div>
      <p class="small">
        {breaksAt === undefined ? (
          <>
            Shares its first {counted(shared, 'message')} ({inLength(sharedLength)}, {percent} %) with the turn before;{' '}
            {counted(added.length, 'message')} added.
          </>
        ) : (
          <>
            <span class="warn">▲</span> Differs from the turn before at message {breaksAt.message + 1}, character{' '}
            {breaksAt.at + 1}: only {percent} % of the prompt can be reused.
          </>
        )}
        {cached !== undefined && cached > 0 && (
          <span class="muted"> {counted(cached, 'token')} came from the cache.</span>
        )}
      </p>
    </div>
  )
}

interface AddedProps {
  readonly messages: readonly SentMessage[] | undefined
  readonly isFirst: boolean
  readonly hasBodies: boolean
}

function Added({ messages, isFirst, hasBodies }: AddedProps) {
  const isOpen = useSignal(!isFirst)
  if (messages === undefined)
    return <p class="muted small">{hasBodies ? 'Nothing was sent to a model.' : "Texts aren't recorded here."}</p>
  const list = isOpen.value ? messages : messages.slice(-1)
  return (
    <>
      {!isOpen.value && messages.length > 1 && (
        <button type="button" class="fold" onClick={() => (isOpen.value = true)}>
          {counted(messages.length - 1, 'message')} before it
        </button>
      )}
      {list.map(({ role, text, calls = [], segments }, i) => (
        <MessageView key={i} turn={0} from={role} {...{ text, calls }} marks={marksOfSegments(segments)} />
      ))}
    </>
  )
}

function Answer({ exchange }: { readonly exchange: Exchange }) {
  const { got, error, hasBodies, state } = exchange
  const isEmpty = got.text === '' && got.calls.length === 0 && error === undefined
  return (
    <article class="message assistant">
      <h3 class="message-head">
        <span class="role">answer</span> {got.finish !== undefined && <span class="muted small">{got.finish}</span>}
      </h3>
      {error !== undefined && (
        <p class="error">
          ✕ {error.message} <span class="small">{error.code}</span>
        </p>
      )}
      {got.text !== '' && <Payload text={got.text} />}
      {got.calls.map(({ choice, index, name, arguments: text }) => (
        <div class="got-call" key={`${choice} ${index}`}>
          <div class="call-head">
            <span class="badge call">call {index + 1}</span> <span class="call-name">{name}</span>
          </div>
          <Payload text={prettyJson(text)} />
        </div>
      ))}
      {isEmpty && <Absent hasBodies={hasBodies}>{silence(state)}</Absent>}
    </article>
  )
}
