import { useComputed } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { goTo, hrefs } from '../app/route.ts'
import { clearedTo, remaining } from '../data/store.ts'
import { inDigits } from '../text/words.ts'
import { ListRow } from './row.tsx'
import type { Heights, Row } from './rows.ts'
import { current, isGrouped, matching, query, rows, toggleGroup } from './state.ts'
import { useWindow } from './window.ts'

const wideHeights: Heights = { exchange: 32, group: 36 }
const narrowHeights: Heights = { exchange: 56, group: 36 }

const columns = [
  'Time',
  'Client',
  'Door',
  'Model',
  'Service',
  'Tools',
  'Status',
  'First byte',
  'Total',
  'Tokens',
  'Calls',
  'Notes',
  'Asked → answered',
] as const
const numeric: ReadonlySet<string> = new Set(['Time', 'First byte', 'Total', 'Tokens'])

interface ListProps {
  /** With all columns, or two lines a row beside an exchange. */
  readonly isWide: boolean
  readonly openId: string | undefined
}

export function openRow(key: string | undefined, isStep = false): void {
  const row = rows.value.find((one) => one.key === key)
  if (row === undefined) return
  current.value = row.key
  if (row.kind === 'exchange') goTo(hrefs.exchange(row.summary.id), isStep)
  else if (!isStep) toggleGroup(row.conversation)
}

export function List({ isWide, openId }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const all = rows.value
  const { shown, unseen, toTop, show } = useWindow(scroller, all, isWide ? wideHeights : narrowHeights, isWide ? 32 : 0)
  const place = useComputed(() => rows.value.findIndex(({ key }) => key === current.value))

  useLayoutEffect(() => toTop(), [query.value, isGrouped.value])
  // Also when an exchange is opened or closed, which makes all rows higher or lower.
  useLayoutEffect(() => {
    if (place.value >= 0) show(place.value)
  }, [current.value, isWide, place.value >= 0])
  useLayoutEffect(() => {
    if (openId !== undefined) current.value = openId
  }, [openId])

  return (
    <div class={`list ${isWide ? 'wide' : 'narrow'}`}>
      <div
        class="scroller"
        ref={scroller}
        role="treegrid"
        tabIndex={0}
        aria-label="Exchanges, newest first"
        aria-rowcount={all.length + 1}
        aria-activedescendant={place.value >= 0 ? `row-${current.value}` : undefined}
      >
        {isWide && <Head />}
        <Body rows={all.slice(shown.from, shown.to)} {...{ shown, isWide, openId }} />
        {remaining.value > 0 && <p class="list-foot muted">Reading {inDigits(remaining.value)} older exchanges…</p>}
        {clearedTo.value !== '' && (
          <p class="list-foot muted">
            Earlier exchanges are out of view.{' '}
            <button type="button" class="button link" onClick={() => (clearedTo.value = '')}>
              Show them
            </button>
          </p>
        )}
      </div>
      {unseen.value > 0 && (
        <button type="button" class="pill" onClick={toTop}>
          ↑ {inDigits(unseen.value)} new
        </button>
      )}
      <p class="hidden-label" role="status">
        {query.value === '' ? '' : `${inDigits(matching.value.length)} exchanges match.`}
      </p>
    </div>
  )
}

function Head() {
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      {columns.map((name) => (
        <div key={name} role="columnheader" class={numeric.has(name) ? 'number' : undefined}>
          {name}
        </div>
      ))}
    </div>
  )
}

interface BodyProps extends ListProps {
  readonly rows: readonly Row[]
  readonly shown: { readonly from: number; readonly top: number; readonly height: number }
}

function Body({ rows: visible, shown, isWide, openId }: BodyProps) {
  return (
    <div class="sheet" role="rowgroup" style={{ height: `${shown.height}px` }}>
      <div class="sheet-part" role="presentation" style={{ transform: `translateY(${shown.top}px)` }}>
        {visible.map((row, i) => (
          // A row that leaves is used for one that comes: that is half the work of making it anew.
          <ListRow
            key={(shown.from + i) % visible.length}
            row={row}
            index={shown.from + i}
            isWide={isWide}
            isCurrent={row.key === current.value}
            isOpen={row.kind === 'exchange' && row.summary.id === openId}
            onOpen={openRow}
          />
        ))}
      </div>
    </div>
  )
}
