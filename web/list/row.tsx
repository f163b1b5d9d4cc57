import type { Summary } from '../../src/traces/exchange.ts'
import { hrefs } from '../app/route.ts'
import { counted, inClock, inDate } from '../text/words.ts'
import { Calls, Duration, Notes, Status, Tokens, way } from './cells.tsx'
import type { Row } from './rows.ts'
import { toggleGroup } from './state.ts'

interface RowProps {
  readonly row: Row
  readonly isCurrent: boolean
  readonly isOpen: boolean
  readonly isWide: boolean
  readonly index: number
  readonly onOpen: (key: string) => void
}

export function ListRow({ row, isCurrent, isOpen, isWide, index, onOpen }: RowProps) {
  const shared = {
    id: `row-${row.key}`,
    role: 'row' as const,
    'aria-rowindex': index + 2,
    'aria-selected': isOpen,
    'data-current': isCurrent ? '' : undefined,
  }
  if (row.kind === 'group')
    return (
      <div {...shared} class="row group" aria-level={1} aria-expanded={row.isOpen} onClick={() => onOpen(row.key)}>
        <Group conversation={row.conversation} turns={row.turns} isOpen={row.isOpen} />
      </div>
    )
  const { summary } = row
  return (
    <div
      {...shared}
      class={`row ${summary.state}${row.isInside ? ' inside' : ''}`}
      aria-level={row.isInside ? 2 : 1}
      onClick={() => onOpen(row.key)}
    >
      {isWide ? <Wide summary={summary} isInside={row.isInside} /> : <Narrow summary={summary} />}
    </div>
  )
}

type GroupProps = Pick<Row & { readonly kind: 'group' }, 'conversation' | 'turns' | 'isOpen'>

function Group({ conversation, turns, isOpen }: GroupProps) {
  const first = turns.findLast(({ gist }) => gist !== undefined)
  return (
    <div role="gridcell" class="group-cell">
      <button
        type="button"
        class="twist"
        tabIndex={-1}
        aria-label={isOpen ? 'Hide the turns' : 'Show the turns'}
        onClick={(event) => {
          event.stopPropagation()
          toggleGroup(conversation)
        }}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      <span class="group-title">{first?.gist ?? 'Conversation'}</span>
      <a
        class="small"
        tabIndex={-1}
        href={hrefs.conversation(conversation)}
        onClick={(event) => event.stopPropagation()}
      >
        {counted(turns.length, 'turn')}
      </a>
    </div>
  )
}

/** So many letters fit into the narrowest column. */
const surelyFits = 9

function clipped(text = ''): string {
  return text.length > surelyFits ? 'clip' : ''
}

interface WordsProps {
  readonly summary: Summary
  /** Below a title that says what was asked. */
  readonly isInside: boolean
}

function Words({ summary: { gist = '', reply = '' }, isInside }: WordsProps) {
  if (reply === '' || (isInside && gist === '')) return <span class="muted">{reply || gist}</span>
  if (isInside) return <>{reply}</>
  return (
    <>
      <span class="muted">{gist} →</span> {reply}
    </>
  )
}

function Wide({ summary, isInside }: WordsProps) {
  const { at, client, door, model, service, firstByteMs, totalMs, usage, calls, notes, error } = summary
  return (
    <>
      <div role="gridcell" class="number" title={inDate(at)}>
        {inClock(at)}
      </div>
      <div role="gridcell" class={clipped(client)}>
        {client}
      </div>
      <div role="gridcell" class="muted">
        {door}
      </div>
      <div role="gridcell" class={`strong ${clipped(model)}`}>
        {model ?? '–'}
      </div>
      <div role="gridcell" class={`muted ${clipped(service)}`}>
        {service ?? '–'}
      </div>
      <div role="gridcell" class={`muted ${clipped(way(summary))}`}>
        {way(summary)}
      </div>
      <div role="gridcell">
        <Status summary={summary} />
      </div>
      <div role="gridcell" class="number">
        <Duration ms={firstByteMs} />
      </div>
      <div role="gridcell" class="number">
        <Duration ms={totalMs} />
      </div>
      <div role="gridcell" class="number">
        <Tokens usage={usage} />
      </div>
      <div role="gridcell">
        <Calls count={calls} />
      </div>
      <div role="gridcell">
        <Notes notes={notes} />
      </div>
      <div role="gridcell" class={error === undefined ? 'clip' : 'error clip'}>
        {error?.code ?? <Words summary={summary} isInside={isInside} />}
      </div>
    </>
  )
}

function Narrow({ summary }: { readonly summary: Summary }) {
  const { at, client, model, totalMs, calls, notes, error, reply } = summary
  return (
    <div role="gridcell" class="narrow-cell">
      <div class="narrow-line">
        <span class="number" title={inDate(at)}>
          {inClock(at)}
        </span>
        <span class="muted clip">{client}</span>
        <span class="push">
          <Status summary={summary} />
        </span>
        <span class="number narrow-time">
          <Duration ms={totalMs} />
        </span>
      </div>
      <div class="narrow-line">
        <span class="strong clip narrow-model">{model ?? '–'}</span>
        <span class="muted clip">{reply}</span>
        <span class="push narrow-badges">
          {error !== undefined && <span class="error small clip">{error.code}</span>}
          <Calls count={calls} />
          <Notes notes={notes} />
        </span>
      </div>
    </div>
  )
}
