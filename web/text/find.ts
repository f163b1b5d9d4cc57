/** Finds words in what is shown and lights them, without touching the page: ranges over its text, drawn by the browser. */

const name = 'found'

interface Found {
  readonly count: number
  show(nth: number): void
}

export function findIn(roots: readonly Element[], needle: string): Found {
  CSS.highlights?.delete(name)
  if (needle === '') return { count: 0, show: () => undefined }
  const ranges = roots.flatMap((root) => rangesIn(root, needle.toLowerCase()))
  if (CSS.highlights !== undefined) CSS.highlights.set(name, new Highlight(...ranges))
  return {
    count: ranges.length,
    show(nth) {
      const range = ranges[nth]
      if (range === undefined) return
      range.startContainer.parentElement?.scrollIntoView({ block: 'nearest' })
      const { top, bottom } = range.getBoundingClientRect()
      const scroller = range.startContainer.parentElement?.closest('.pane-body')
      if (scroller == null) return
      const seen = scroller.getBoundingClientRect()
      if (top < seen.top || bottom > seen.bottom) scroller.scrollTop += top - (seen.top + seen.height / 2)
    },
  }
}

/** A hit may span several nodes: marks cut the text. */
function rangesIn(root: Element, needle: string): readonly Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: { readonly node: Text; readonly from: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node: node as Text, from: text.length })
    text += (node as Text).data
  }
  const ranges: Range[] = []
  const lower = text.toLowerCase()
  // Where lower case is longer than upper case, places do not match, and nothing is better than the wrong thing.
  if (lower.length !== text.length) return ranges
  let nth = 0
  const placeOf = (position: number, isEnd: boolean): [Text, number] => {
    while (nth + 1 < nodes.length && (nodes[nth + 1]?.from ?? 0) < position + (isEnd ? 0 : 1)) nth++
    const found = nodes[nth] as (typeof nodes)[number]
    return [found.node, position - found.from]
  }
  for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, at + needle.length)) {
    const range = document.createRange()
    range.setStart(...placeOf(at, false))
    range.setEnd(...placeOf(at + needle.length, true))
    ranges.push(range)
  }
  return ranges
}
