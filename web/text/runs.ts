/** A stretch of a text that something is to be said about. */
export interface Mark {
  readonly from: number
  readonly to: number
  readonly kind: 'call' | 'broken' | 'dropped' | 'thought' | 'changed' | 'refused' | 'held'
  /** Shown before it, in a word or two; it is not part of the text. */
  readonly label?: string | undefined
  /** Which call it is, counted from 0. */
  readonly call?: number | undefined
  /** Why it is what it is, as a sentence. */
  readonly why?: string | undefined
}

export interface Run {
  readonly text: string
  readonly from: number
  readonly mark?: Mark
  /** It fills whole lines, so it can stand as a block. */
  readonly isBlock?: boolean
  /** It begins with the line break that ends such a block, which must not be seen twice. */
  readonly followsBlock?: boolean
}

/** The text from its first character to its last, cut where marks begin and end. Where two overlap, the first wins. */
export function toRuns(text: string, marks: readonly Mark[]): readonly Run[] {
  const runs: Run[] = []
  let at = 0
  for (const mark of marks.toSorted((one, other) => one.from - other.from)) {
    const from = Math.max(at, mark.from)
    const to = Math.min(text.length, mark.to)
    if (from >= to) continue
    if (from > at) runs.push({ text: text.slice(at, from), from: at })
    runs.push({ text: text.slice(from, to), from, mark })
    at = to
  }
  if (at < text.length) runs.push({ text: text.slice(at), from: at })
  return withBlocks(text, runs)
}

function withBlocks(text: string, runs: readonly Run[]): readonly Run[] {
  let wasBlock = false
  return runs.map((run) => {
    const { from, mark, text: own } = run
    const end = from + own.length
    const startsLine = from === 0 || wasBlock || text.charAt(from - 1) === '\n'
    const endsLine = end === text.length || text.charAt(end) === '\n' || own.endsWith('\n')
    const isBlock = mark !== undefined && mark.kind !== 'thought' && startsLine && endsLine
    const followsBlock = wasBlock && own.startsWith('\n')
    wasBlock = isBlock && !own.endsWith('\n')
    return { ...run, isBlock, followsBlock }
  })
}

export interface Fold {
  readonly head: string
  readonly lines: number
  readonly middle: string
  readonly tail: string
}

/** What others wrote folds at twenty lines. What Dragoman wrote is long and always alike: a few lines tell what it is. */
const limits = { theirs: { most: 20, head: 15, tail: 2 }, ours: { most: 8, head: 4, tail: 1 } } as const
/** Text without line breaks folds too: this many characters are about a line. */
const lineLength = 100

/** A long text in three parts, of which the middle may be hidden; undefined where it is short enough to show. */
export function foldOf(text: string, whose: keyof typeof limits = 'theirs'): Fold | undefined {
  const { most, head, tail } = limits[whose]
  const ends = lineEnds(text)
  const hidden = ends.length - head - tail
  if (ends.length <= most) return undefined
  const from = ends[head - 1] ?? 0
  const to = ends[ends.length - tail - 1] ?? text.length
  return { head: text.slice(0, from), lines: hidden, middle: text.slice(from, to), tail: text.slice(to) }
}

function lineEnds(text: string): readonly number[] {
  const ends: number[] = []
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline + 1
    for (at += lineLength; at < end; at += lineLength) ends.push(whole(text, at))
    ends.push(end)
    at = end
  }
  return ends
}

/** So far back a blank is looked for. */
const near = 24

/** Before a word rather than within it, and never within a character of two halves. */
function whole(text: string, at: number): number {
  const blank = text.slice(at - near, at).lastIndexOf(' ')
  if (blank !== -1) return at - near + blank + 1
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
