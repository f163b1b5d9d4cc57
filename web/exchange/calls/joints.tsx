import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { lit } from '../../text/lit.ts'

/** A line from a call in one pane to the same call in the next, while it is under the pointer. */
export function Joints({ root }: { readonly root: RefObject<HTMLElement | null> }) {
  const lines = useSignal<readonly string[]>([])
  const call = lit.call.value
  useLayoutEffect(() => {
    lines.value = call === undefined || root.current === null ? [] : linesBetween(root.current, call)
  }, [call, root, lines])
  return (
    <svg class="joints" aria-hidden="true">
      {lines.value.map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  )
}

function linesBetween(root: HTMLElement, call: number): readonly string[] {
  const frame = root.getBoundingClientRect()
  const ends = [...root.querySelectorAll<HTMLElement>('.pane-body')].flatMap((body) => {
    const element = body.querySelector<HTMLElement>(`[data-call="${call}"]`)
    if (element === null || body.offsetParent === null) return []
    const [seen, box] = [body.getBoundingClientRect(), element.getClientRects()[0] ?? element.getBoundingClientRect()]
    const middle = Math.min(Math.max(box.top + Math.min(box.height / 2, 12), seen.top + 2), seen.bottom - 2)
    return [{ left: seen.left - frame.left, right: seen.right - frame.left, y: middle - frame.top }]
  })
  return ends.slice(1).map((end, i) => {
    const from = ends[i] as (typeof ends)[number]
    const [x1, x2] = [from.right - 10, end.left + 4]
    const bend = Math.max(8, (x2 - x1) / 2)
    return `M${x1},${from.y} C${x1 + bend},${from.y} ${x2 - bend},${end.y} ${x2},${end.y}`
  })
}

/** Brings the same call into sight in every pane. */
export function showCall(call: number): void {
  for (const element of document.querySelectorAll<HTMLElement>(`.pane-body [data-call="${call}"]`)) {
    const body = element.closest<HTMLElement>('.pane-body')
    if (body === null) continue
    const [seen, box] = [body.getBoundingClientRect(), element.getBoundingClientRect()]
    if (box.top < seen.top || box.top > seen.bottom - 24) body.scrollTop += box.top - seen.top - 48
  }
}
