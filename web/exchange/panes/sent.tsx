import { useSignal } from '@preact/signals'
import type { Attempt, Exchange, SegmentKind } from '../../../src/traces/exchange.ts'
import { parsed, prettyJson } from '../../text/json.ts'
import { Payload } from '../../text/payload.tsx'
import { Tree } from '../../text/tree.tsx'
import { counted } from '../../text/words.ts'
import { marksOfSegments, segmentWords } from '../calls/marks.ts'
import { sizeOf } from './asked.tsx'
import { MessageView } from './message.tsx'
import { Absent, Truncated } from './states.tsx'

/** What the model server was sent, with what is not the client's own highlighted. */
export function SentView({
  exchange,
  attempt,
}: {
  readonly exchange: Exchange
  readonly attempt: Attempt | undefined
}) {
  const isRaw = useSignal(false)
  if (attempt === undefined)
    return (
      <p class="pane-empty muted">{exchange.state === 'open' ? 'Not sent yet.' : 'Nothing was sent to a model.'}</p>
    )
  const { sent } = attempt
  const { body } = sent
  return (
    <>
      <Legend attempt={attempt} />
      {body !== undefined && (
        <button
          type="button"
          class="button plain small raw-toggle"
          aria-pressed={isRaw.value}
          onClick={() => (isRaw.value = !isRaw.value)}
        >
          As it went over the wire
        </button>
      )}
      {sent.tools.length > 0 && <p class="small muted">Native tools: {sent.tools.join(', ')}</p>}
      {isRaw.value && body !== undefined ? (
        <div class="mono">
          {body.isTruncated ? <Payload text={body.text} /> : <Tree value={parsed(body.text) ?? body.text} open={3} />}
          <Truncated payload={body} />
        </div>
      ) : (
        <Messages attempt={attempt} hasBodies={exchange.hasBodies} />
      )}
      {sent.prefill !== undefined && (
        <MessageView
          from="assistant"
          turn={-1}
          text={sent.prefill}
          about="the beginning of the answer, written for the model"
          marks={[{ from: 0, to: sent.prefill.length, kind: 'changed', label: '▒ begun' }]}
        />
      )}
      {sent.constraint !== undefined && (
        <details class="constraint">
          <summary>
            <span class="badge changed">▒ grammar</span> the answer is held to a schema
          </summary>
          <Payload text={prettyJson(sent.constraint.text)} />
        </details>
      )}
    </>
  )
}

function Messages({ attempt, hasBodies }: { readonly attempt: Attempt; readonly hasBodies: boolean }) {
  const { messages } = attempt.sent
  if (messages === undefined) return <Absent hasBodies={hasBodies}>No messages were sent.</Absent>
  let turn = 0
  return (
    <>
      {messages.map(({ role, text, calls = [], segments }, i) => {
        const here = role === 'assistant' ? turn++ : turn
        return (
          <MessageView
            key={i}
            from={role}
            {...{ text, calls }}
            turn={here}
            marks={marksOfSegments(segments)}
            about={sizeOf(text)}
          />
        )
      })}
    </>
  )
}

/** What was changed, in words; nothing where nothing was. */
function Legend({ attempt }: { readonly attempt: Attempt }) {
  const counts = new Map<SegmentKind, number>()
  for (const { segments } of attempt.sent.messages ?? [])
    for (const { kind } of segments) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (counts.size === 0) return null
  return (
    <ul class="legend small">
      {[...counts].map(([kind, count]) => (
        <li key={kind} title={segmentWords(kind)}>
          <span class="badge changed">▒ {kind}</span> {counted(count, 'place')}
        </li>
      ))}
    </ul>
  )
}
