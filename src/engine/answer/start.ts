import type { Dialect } from '../../dialects/dialect.ts'
import { openerOf } from '../marks/template.ts'
import { think } from '../marks/vocabulary.ts'

/**
 * Where a whole answer begins. Some templates end the prompt inside a thought, so that the answer has its closer but not
 * its opener. A stream cannot wait for that; who has the whole text can look.
 */
export function startOf(text: string, dialect: Dialect | undefined): 'text' | 'reasoning' {
  const wrappers = [think, ...(dialect?.reasoning ?? [])]
  // What also ends a turn says nothing of a thought.
  const closers = wrappers.flatMap(({ close }) => close).filter((mark) => dialect?.dropped?.includes(mark) !== true)
  const close = first(text, closers)
  const open = first(
    text,
    wrappers.flatMap((wrapper) => wrapper.open),
  )
  const isClosed = close !== undefined && (open === undefined || close.at < open.at) && isEnd(text, close)
  return isClosed && !beginsWithMark(text.trimStart(), dialect) ? 'reasoning' : 'text'
}

interface Found {
  readonly at: number
  readonly end: number
}

function first(text: string, literals: readonly string[]): Found | undefined {
  const found = literals.flatMap((literal) => {
    const at = text.indexOf(literal)
    return at < 0 ? [] : [{ at, end: at + literal.length }]
  })
  return found.toSorted((one, other) => one.at - other.at)[0]
}

/** Whether a closer ends a thought. One that words speak of has the sentence around it, or stands in code. */
function isEnd(text: string, { at, end }: Found): boolean {
  const isSpoken = /^[ \t"'`),.;:]/.test(text.slice(end, end + 1)) || /["'`(]$/.test(text.slice(0, at))
  const fences = text.slice(0, at).match(/^```/gm)?.length ?? 0
  return !isSpoken && fences % 2 === 0
}

function beginsWithMark(text: string, dialect: Dialect | undefined): boolean {
  if (dialect === undefined) return false
  const { section, call, frame } = dialect.grammar
  const openers = [...(section?.open ?? []), ...call.open].map(openerOf)
  const marks = [...openers, ...(frame?.open ?? []), ...(dialect.dropped ?? [])]
  return marks.some((mark) => mark.length > 1 && text.startsWith(mark))
}
