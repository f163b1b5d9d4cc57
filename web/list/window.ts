import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Heights, type Row, rowAt, toOffsets } from './rows.ts'

/** Rows come and go so many at a time: most scrolling changes nothing on the page. */
const part = 8

interface Laid {
  readonly rows: readonly Row[]
  readonly offsets: Float64Array
}

/**
 * Only the rows in sight are on the page. Rows that arrive above what is being read do not move it: the list scrolls
 * along, and `unseen` counts them until the list is scrolled to the top.
 */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  heights: Heights,
  headHeight: number,
) {
  const range = useSignal({ from: 0, to: part * 6 })
  const unseen = useSignal(0)
  const laid = useRef<(Laid & { readonly heights: Heights }) | undefined>(undefined)
  const isSame = laid.current?.rows === rows && laid.current.heights === heights
  const offsets = isSame && laid.current !== undefined ? laid.current.offsets : toOffsets(rows, heights)

  const measure = useRef(() => {
    const [element, now] = [scroller.current, laid.current]
    if (element === null || now === undefined) return
    const from = Math.max(0, rowAt(now.offsets, element.scrollTop) - part / 2)
    const to = rowAt(now.offsets, element.scrollTop + element.clientHeight) + part / 2
    const next = { from: Math.floor(from / part) * part, to: Math.ceil((to + 1) / part) * part }
    const old = range.peek()
    if (old.from !== next.from || old.to !== next.to) range.value = next
    if (element.scrollTop <= 0) unseen.value = 0
  }).current

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, measure])

  useLayoutEffect(() => {
    const old = laid.current
    laid.current = { rows, offsets, heights }
    const element = scroller.current
    if (element === null) return
    const isRead = element.scrollTop > 0 || element.matches(':hover, :focus-within')
    if (old !== undefined && old.rows !== rows && old.heights === heights && old.rows.length > 0 && isRead) {
      const moved = shiftOf(old, { rows, offsets }, rowAt(old.offsets, element.scrollTop))
      if (moved !== undefined && moved.by !== 0) element.scrollTop += moved.by
      if (moved !== undefined && moved.by > 0) unseen.value += moved.rows
    }
    measure()
  }, [rows, offsets, heights, scroller, unseen, measure])

  const from = Math.min(range.value.from, Math.max(0, rows.length - part))
  const to = Math.min(rows.length, range.value.to)

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
  return { shown: { from, to, top: offsets[from] ?? 0, height: offsets.at(-1) ?? 0 }, unseen, toTop, show }
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
