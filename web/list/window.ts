import { useComputed, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Heights, type Row, rowAt, toOffsets } from './rows.ts'

const spare = 12

interface Shown {
  readonly from: number
  readonly to: number
  readonly top: number
  readonly height: number
}

/**
 * Only the rows in sight are on the page. Rows that arrive above what is being read do not move it: the list scrolls
 * along, and `unseen` counts them until somebody goes to the top.
 */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  heights: Heights,
  headHeight: number,
) {
  const scroll = useSignal({ top: 0, height: 800 })
  const unseen = useSignal(0)
  const before = useRef<
    { readonly rows: readonly Row[]; readonly offsets: Float64Array; readonly of: Heights } | undefined
  >(undefined)
  const offsets =
    before.current?.rows === rows && before.current.of === heights ? before.current.offsets : toOffsets(rows, heights)

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = (): void => {
      scroll.value = { top: element.scrollTop, height: element.clientHeight }
      if (element.scrollTop <= 0) unseen.value = 0
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, scroll, unseen])

  useLayoutEffect(() => {
    const old = before.current
    before.current = { rows, offsets, of: heights }
    const element = scroller.current
    if (old === undefined || old.rows === rows || old.rows.length === 0 || element === null) return
    const isWatching = element.scrollTop <= 0 && !element.matches(':hover, :focus-within')
    if (isWatching) return
    const anchor = rowAt(old.offsets, element.scrollTop)
    const moved = shiftOf(old, { rows, offsets }, anchor)
    if (moved === undefined || moved.by === 0) return
    element.scrollTop += moved.by
    if (moved.by > 0) unseen.value += moved.rows
  }, [rows, offsets, heights, scroller, unseen])

  const { top, height } = scroll.value
  const from = Math.max(0, rowAt(offsets, top) - spare)
  const to = Math.min(rows.length, rowAt(offsets, top + height) + spare + 1)
  const shown: Shown = { from, to, top: offsets[from] ?? 0, height: offsets.at(-1) ?? 0 }

  const toTop = (): void => {
    unseen.value = 0
    scroller.current?.scrollTo({ top: 0 })
  }
  const show = (index: number): void => {
    const element = scroller.current
    const [start, end] = [offsets[index], offsets[index + 1]]
    if (element === null || start === undefined || end === undefined) return
    const room = element.clientHeight - headHeight
    if (start < element.scrollTop) element.scrollTop = start
    else if (end > element.scrollTop + room) element.scrollTop = end - room
  }
  return { shown, unseen, toTop, show, isAtTop: useComputed(() => scroll.value.top <= 0) }
}

interface Laid {
  readonly rows: readonly Row[]
  readonly offsets: Float64Array
}

/** How far the first row in sight that is still there has moved, and past how many rows. */
function shiftOf(old: Laid, now: Laid, anchor: number): { readonly by: number; readonly rows: number } | undefined {
  const places = new Map(now.rows.map(({ key }, i) => [key, i]))
  for (let i = anchor; i < Math.min(old.rows.length, anchor + 40); i++) {
    const place = places.get(old.rows[i]?.key ?? '')
    if (place !== undefined) return { by: (now.offsets[place] ?? 0) - (old.offsets[i] ?? 0), rows: place - i }
  }
  return undefined
}
