import type { Message } from '../../protocol/message.ts'
import type { Segment, SegmentKind } from '../exchange.ts'

const joiner = '\u2060'

/** What is known of where the words of a prompt come from. */
export interface Sources {
  /** What the client said, in order. */
  readonly messages: readonly Message[]
  /** The words that teach the tools. */
  readonly taught: string
  /** The line that was put at the end of the last message. */
  readonly reminder?: string | undefined
  /** Calls and results of the history were told in words. */
  readonly isRetold: boolean
}

/** The longest way ahead the next words of the client are looked for, in texts. */
const mostAhead = 64

/**
 * Which parts of the messages a model got are not its client's words. The texts are compared without the joiners that
 * break marks: where the client had none, they are the change.
 */
export function findSegments(sent: readonly Message[], sources: Sources): readonly (readonly Segment[])[] {
  const left = sources.messages
    .flatMap(({ role, content }) =>
      textsOf(content).map((text) => ({ role, text: text.replaceAll(joiner, '').trim() })),
    )
    .filter(({ text }) => text !== '')
  return sent.map(({ role, content }) => {
    const text = textsOf(content).join('\n')
    return segmentsOf(text, role, left, sources)
  })
}

interface Source {
  readonly role: Message['role']
  readonly text: string
}

interface Range {
  readonly from: number
  readonly to: number
  /** Undefined: the client's own words. */
  readonly kind?: SegmentKind
}

function segmentsOf(text: string, role: Message['role'], left: Source[], sources: Sources): readonly Segment[] {
  const { bare, places } = withoutJoiners(text)
  const known: Range[] = []
  const taught = sources.taught.replaceAll(joiner, '').trim()
  const taughtAt = taught === '' ? -1 : bare.indexOf(taught)
  if (taughtAt !== -1) known.push({ kind: 'taught', from: taughtAt, to: taughtAt + taught.length })
  takeWords(bare, known, left)
  const { reminder = '' } = sources
  if (reminder !== '' && bare.endsWith(reminder)) {
    known.push({ kind: 'taught', from: bare.length - reminder.length, to: bare.length })
  }
  const isOurs = role === 'system' || taughtAt !== -1 || !sources.isRetold
  const ranges = fillGaps(bare, known, isOurs ? 'added' : 'history')
  const at = (place: number): number => (places === undefined ? place : (places[place] ?? text.length))
  const segments = ranges.flatMap(({ kind, from, to }) => {
    if (kind !== undefined) return [{ kind, from: at(from), to: at(to) }]
    return places === undefined ? [] : brokenMarks(text, at(from), at(to))
  })
  return segments
}

/** Finds the client's texts in a message, in their order, and takes them off the list. */
function takeWords(bare: string, known: Range[], left: Source[]): void {
  const [taught] = known
  let from = 0
  for (let place = 0; place < Math.min(left.length, mostAhead); ) {
    const words = left[place]?.text ?? ''
    let found = bare.indexOf(words, from)
    // The teaching may quote anything: what stands in it is not the client's.
    if (taught !== undefined && found !== -1 && found < taught.to && found + words.length > taught.from) {
      found = bare.indexOf(words, taught.to)
    }
    if (found === -1) {
      place += 1
      continue
    }
    known.push({ from: found, to: found + words.length })
    from = found + words.length
    left.splice(place, 1)
  }
}

/** The ranges from end to end; white space between two says nothing. */
function fillGaps(bare: string, known: readonly Range[], kind: SegmentKind): readonly Range[] {
  const ranges: Range[] = []
  let at = 0
  const add = (from: number, to: number): void => {
    const gap = bare.slice(from, to)
    if (gap.trim() === '') return
    const start = from + (gap.length - gap.trimStart().length)
    ranges.push({ kind, from: start, to: start + gap.trim().length })
  }
  for (const range of known.toSorted((a, b) => a.from - b.from)) {
    if (range.from < at) continue
    add(at, range.from)
    ranges.push(range)
    at = range.to
  }
  add(at, bare.length)
  return ranges
}

/** A joiner and the character before it, which begins a mark. */
function brokenMarks(text: string, from: number, to: number): readonly Segment[] {
  const broken: Segment[] = []
  for (let at = text.indexOf(joiner, from); at !== -1 && at < to; at = text.indexOf(joiner, at + 1)) {
    const last = broken.at(-1)
    if (last !== undefined && last.to >= at - 1) broken[broken.length - 1] = { ...last, to: at + 1 }
    else broken.push({ kind: 'neutralised', from: Math.max(from, at - 1), to: at + 1 })
  }
  return broken
}

/** The text without joiners, and where each of its characters stands; no places where there is none. */
function withoutJoiners(text: string): { readonly bare: string; readonly places: readonly number[] | undefined } {
  if (!text.includes(joiner)) return { bare: text, places: undefined }
  const places: number[] = []
  for (let at = 0; at < text.length; at++) if (text[at] !== joiner) places.push(at)
  return { bare: text.replaceAll(joiner, ''), places }
}

export function textsOf(content: Message['content']): readonly string[] {
  if (typeof content === 'string') return [content]
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}
