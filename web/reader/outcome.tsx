import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import type { Tool } from '../../src/protocol/tool.ts'
import { noteSentences } from '../../src/protocol/trace/sentences.ts'
import { callKey, marksOfSpans } from '../exchange/calls/marks.ts'
import { gathered } from '../exchange/gathered.ts'
import { lit } from '../text/lit.ts'
import { Payload } from '../text/payload.tsx'
import type { Mark } from '../text/runs.ts'
import { counted } from '../text/words.ts'
import { draft } from './draft.ts'
import type { Standing } from './engine.ts'
import { Steps } from './steps.tsx'

const cuts = [1, 2, 3, 5, 11, 23, 0] as const

interface OutcomeProps {
  readonly engine: typeof import('./engine.ts')
  readonly tools: readonly Tool[]
}

/** How far it has been read, and what came of it so far. */
export function Outcome({ engine, tools }: OutcomeProps) {
  const { text, cut } = draft
  const last = engine.pushesOf({ text: text.value, cut: cut.value }) + 1
  const place = useSignal(last)
  const changes = useComputed(() => [draft.text.value, draft.cut.value, draft.dialect.value])
  useSignalEffect(() => {
    changes.value
    place.value = engine.pushesOf({ text: draft.text.peek(), cut: draft.cut.peek() }) + 1
  })
  const at = Math.min(place.value, last)
  const standing = engine.read(
    {
      text: text.value,
      tools,
      dialect: draft.dialect.value,
      finish: draft.finish.value,
      cut: cut.value,
      ...(draft.quoted.value !== undefined && { quoted: draft.quoted.value }),
    },
    at,
  )
  return (
    <div class="outcome">
      <div class="cutter">
        <label class="cutter-slide">
          <span class="form-label">
            {at >= last ? 'All of it, and the end' : `After ${counted(at, 'piece')} of ${last - 1}`}
          </span>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-valuetext={at >= last ? 'the whole answer' : `${at} of ${last - 1} pieces`}
            onInput={(event) => (place.value = Number(event.currentTarget.value))}
          />
        </label>
        <label class="cutter-size">
          <span class="form-label">Characters a piece</span>
          <select
            class="field"
            value={String(cut.value)}
            onChange={(event) => (cut.value = Number(event.currentTarget.value))}
          >
            {cuts.map((size) => (
              <option key={size} value={String(size)}>
                {size === 0 ? 'all at once' : size}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="outcome-columns">
        <section class="outcome-said" aria-labelledby="read-title">
          <h2 id="read-title">Read as</h2>
          <Payload text={standing.text} marks={marksOf(standing)} />
          {standing.text === '' && <p class="muted">Nothing has come yet.</p>}
        </section>
        <section class="outcome-got" aria-labelledby="became-title">
          <h2 id="became-title">What came of it</h2>
          <Became standing={standing} isOver={at >= last} />
        </section>
        <section class="outcome-steps" aria-labelledby="steps-title">
          <h2 id="steps-title">Piece by piece</h2>
          <Steps steps={standing.steps} />
        </section>
      </div>
    </div>
  )
}

/** What is certain as it is; the rest as what it is waiting for. */
function marksOf({ text, spans, certain, tail }: Standing): readonly Mark[] {
  const marks = marksOfSpans(text, spans).flatMap((mark) =>
    mark.from >= certain ? [] : [{ ...mark, to: Math.min(mark.to, certain) }],
  )
  if (tail === undefined) return marks
  const isCall = tail === 'call'
  const calls = marks.filter(({ kind }) => kind === 'call' || kind === 'broken').length
  const label = isCall ? `call ${calls + 1}, being read` : '⌇ held back'
  return [
    ...marks,
    {
      from: certain,
      to: text.length,
      kind: isCall ? 'call' : 'held',
      label,
      ...(isCall && { call: callKey(0, calls) }),
    },
  ]
}

function Became({ standing, isOver }: { readonly standing: Standing; readonly isOver: boolean }) {
  const { answer, spoken } = standing
  const calls = callsOf(standing)
  return (
    <>
      {answer.reasoning !== '' && (
        <>
          <h3 class="message-head">
            <span class="role">reasoning</span>
          </h3>
          <Payload text={answer.reasoning} />
        </>
      )}
      {answer.content !== '' && (
        <>
          <h3 class="message-head">
            <span class="role">content</span>
          </h3>
          <Payload text={answer.content} />
        </>
      )}
      {calls.map(({ name, json, state }, index) => (
        <div
          key={index}
          class={`got-call${lit.call.value === index ? ' lit' : ''}`}
          data-call={index}
          onMouseEnter={() => lit.enter(index)}
          onMouseLeave={lit.leave}
        >
          <div class="call-head">
            <span class="badge call">call {index + 1}</span> <span class="call-name">{name}</span>{' '}
            <span class="muted small">{state}</span>
          </div>
          <Payload text={json} />
        </div>
      ))}
      {gathered(answer.notes).map(({ note: { kind, detail, index }, times }, i) => (
        <p class="call-note small" key={i}>
          ✎ {noteSentences[kind] ?? ''} {detail !== undefined && <code class="detail">{detail}</code>}{' '}
          {times > 1 && `×${times} `}
          <span class="muted">
            {kind}
            {index === undefined ? '' : ` · call ${index + 1}`}
          </span>
        </p>
      ))}
      {isOver && (
        <p class="finish small muted">
          finish reason <code>{answer.finish ?? 'none'}</code>
          {spoken === undefined ? '' : ` · dialect ${spoken}`}
        </p>
      )}
    </>
  )
}

interface SeenCall {
  readonly name: string
  json: string
  state: string
}

/** Calls as far as they have come, the open one too. */
function callsOf({ steps }: Standing): readonly SeenCall[] {
  const calls: SeenCall[] = []
  for (const event of steps.flatMap(({ events }) => events)) {
    if (event.type === 'call-start') calls[event.index] = { name: event.name, json: '', state: 'open' }
    const call = 'index' in event && event.index !== undefined ? calls[event.index] : undefined
    if (call === undefined) continue
    if (event.type === 'call-delta') call.json += event.json
    if (event.type === 'call-end') call.state = 'complete'
    if (event.type === 'call-error') call.state = event.reason
  }
  return calls
}
