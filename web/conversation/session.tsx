import type { Exchange } from '../../src/traces/exchange.ts'
import { gathered } from '../exchange/gathered.ts'
import { type Block, blocksOf } from '../exchange/panes/blocks.ts'
import { Absent, silence } from '../exchange/panes/states.tsx'
import { parsed, prettyJson } from '../text/json.ts'
import { Payload } from '../text/payload.tsx'
import { isRemarkable } from '../text/remarkable.ts'

/** A turn as the agent's own session shows it: what is new since the last answer, and the answer. */
export function SessionTurn({ exchange }: { readonly exchange: Exchange }) {
  const { asked, got, error, hasBodies, state, told } = exchange
  const blocks = blocksOf(parsed(asked.body?.text ?? ''))
  const isEmpty = got.text === '' && got.calls.length === 0 && error === undefined
  return (
    <div class="session">
      {blocks.length === 0 && <Absent hasBodies={hasBodies}>What was asked can't be read.</Absent>}
      {newBlocks(blocks).map((block, i) => (
        <Asked key={i} block={block} name={nameOf(blocks, block.callId)} />
      ))}
      <article class="said assistant" aria-label="The answer">
        {error !== undefined && (
          <p class="error">
            ✕ {error.message} <span class="small">{error.code}</span>
          </p>
        )}
        {got.text !== '' && <Payload text={got.text} />}
        {got.calls.map(({ choice, index, name, arguments: json, isComplete }) => (
          <Call key={`${choice} ${index}`} name={name} json={json} isComplete={isComplete} />
        ))}
        {isEmpty && <Absent hasBodies={hasBodies}>{silence(state)}</Absent>}
        {gathered(told.filter(({ kind }) => isRemarkable(kind))).map(({ note: { kind, words, detail }, times }, i) => (
          <p class="session-note small" key={i}>
            ✎ {words ?? kind} {detail !== undefined && <code>{detail}</code>} {times > 1 && `×${times}`}
          </p>
        ))}
      </article>
    </div>
  )
}

/** What was said since the last answer; how the agent was set up is the same in every turn. */
function newBlocks(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.findLastIndex(({ role }) => role === 'assistant')
  return blocks.slice(last + 1).filter(({ role }) => role !== 'system' && role !== 'developer')
}

/** The tool that a result is of. */
function nameOf(blocks: readonly Block[], callId: string | undefined): string {
  if (callId === undefined) return ''
  return blocks.flatMap(({ calls }) => calls).findLast(({ id }) => id === callId)?.name ?? callId
}

function Asked({ block: { role, text, callId }, name }: { readonly block: Block; readonly name: string }) {
  const who = callId === undefined ? role : 'result'
  return (
    <article class={`said ${who}`} aria-label={callId === undefined ? role : `The result of ${name}`}>
      <h3 class="message-head">
        <span class="role">{who}</span> {name !== '' && <span class="call-name">{name}</span>}
      </h3>
      {text === '' ? <p class="muted small empty-text">(empty)</p> : <Payload text={text} />}
    </article>
  )
}

/** More than this does not fit beside the name. */
const oneLine = 80

interface CallProps {
  readonly name: string
  readonly json: string
  readonly isComplete: boolean
}

function Call({ name, json, isComplete }: CallProps) {
  const isShort = json.length <= oneLine && !json.includes('\n')
  return (
    <div class={isComplete ? 'session-call' : 'session-call cut-off'}>
      <span class="badge call">call</span> <span class="call-name">{name}</span>{' '}
      {isShort ? <code>{json}</code> : <Payload text={prettyJson(json)} />}
      {!isComplete && <p class="warn small">▲ Cut off: the client was not told that it is complete.</p>}
    </div>
  )
}
