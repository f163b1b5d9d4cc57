import type { Reader } from '../engine/reader.ts'

type Event = ReturnType<Reader['push']>[number]

/** One push: what went in and what came out. */
export interface Step {
  readonly given: string
  readonly events: readonly Event[]
}

/** A stretch of what was said, and what became of it. */
export interface Span {
  readonly kind: 'text' | 'reasoning' | 'call' | 'broken call' | 'dropped'
  readonly text: string
  /** Which call, counted from 0. */
  readonly index?: number
}

/** Pairs every piece with the events it caused; the last step is the end of the answer. */
export function toSteps(
  reader: Reader,
  pieces: Iterable<string>,
  ending: Parameters<Reader['end']>[0],
): readonly Step[] {
  const steps: Step[] = []
  for (const given of pieces) steps.push({ given, events: reader.push(given) })
  return [...steps, { given: '', events: reader.end(ending) }]
}

/** What had gone in after each step without anything having come of it. */
export function heldAfter(steps: readonly Step[]): readonly string[] {
  const all = steps.map(({ given }) => given).join('')
  let length = 0
  let settled = 0
  return steps.map(({ given, events }) => {
    length += given.length
    const said = all.slice(0, length)
    for (const event of events) settled = settle(said, settled, event)
    return said.slice(settled)
  })
}

/** Where in the text an event leaves off. Words are found again where they were said; all else belongs to what was given by then. */
function settle(said: string, settled: number, event: Event): number {
  if (event.type === 'note') return settled
  if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return said.length
  return find(said, settled, event.text).to
}

/** Finds words after `from`. White space before them may have been said before a call and count only now. */
function find(said: string, from: number, words: string): { readonly from: number; readonly to: number } {
  const text = words.trimStart()
  const at = text === '' ? -1 : said.indexOf(text, from)
  if (at >= 0) return { from: at, to: at + text.length }
  let to = from
  for (const char of text) {
    const next = said.indexOf(char, to)
    if (next >= 0) to = next + char.length
  }
  return { from, to: Math.max(to, Math.min(said.length, from + words.length)) }
}

/**
 * What became of each part of the text. `steps` must be those of single characters: where an event came out is then where
 * its text ends.
 */
export function toSpans(steps: readonly Step[]): readonly Span[] {
  const spans: { kind: Span['kind']; from: number; to: number; index?: number }[] = []
  const said = steps.map(({ given }) => given).join('')
  let at = 0
  let given = 0
  const take = (kind: Span['kind'], from: number, to: number, index?: number): void => {
    const last = spans.at(-1)
    const isMore =
      last?.kind === kind && last.index === index && (from === last.to || said.slice(last.to, from).trim() === '')
    if (isMore) last.to = to
    else if (to > from) spans.push({ kind, from, to, ...(index === undefined ? {} : { index }) })
    at = Math.max(at, to)
  }
  for (const step of steps) {
    given += step.given.length
    for (const event of step.events) {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        const { from, to } = find(said.slice(0, given), at, event.text)
        if (said.slice(at, from).trim() !== '') skip(at, from)
        take(event.type === 'text-delta' ? 'text' : 'reasoning', from, to)
      } else if (event.type === 'call-end') take('call', at, given, event.index)
      else if (event.type === 'call-error') {
        const from = Math.max(at, said.indexOf(event.raw, at))
        take('broken call', from, Math.min(given, from + event.raw.length), event.index)
      } else if (event.type === 'note' && event.kind === 'mark_dropped' && event.detail !== undefined) {
        const from = said.indexOf(event.detail, at)
        if (from < 0) continue
        if (said.slice(at, from).trim() !== '') skip(at, from)
        take('dropped', from, from + event.detail.length)
      }
    }
  }
  if (said.slice(at).trim() !== '') skip(at, said.length)
  return spans.map(({ from, to, ...span }) => ({ ...span, text: said.slice(from, to).replace(/^\s*\n|\s+$/g, '') }))

  /** What lies between: the rest of the calls before it, or marks that were left out. */
  function skip(from: number, to: number): void {
    const last = spans.at(-1)
    if (last?.kind === 'call' && last.to === from) last.to = to
    else take('dropped', from, to)
  }
}
