/** A stretch of what a model said, and what became of it. The spans of an answer lie side by side and leave nothing out. */
export interface Span {
  readonly kind: 'text' | 'reasoning' | 'call' | 'broken-call' | 'dropped'
  /** Positions in the whole answer: the first character, and the first that is no longer part of it. */
  readonly from: number
  readonly to: number
  /** Which call, counted from 0. */
  readonly index?: number
  readonly why?: Why
}

/** Why a stretch became what it is, where that is not plain to see. */
export type Why =
  // What looked like a call, or part of one, and stayed text.
  | 'cut-off'
  | 'echo'
  | 'example'
  | 'misplaced'
  | 'no-arguments'
  | 'no-call'
  | 'no-tool'
  | 'quoted'
  | 'thought'
  | 'unfit'
  | 'unreadable'
  // A call that could not be read to its end in one way only.
  | 'ambiguous'
  // A call that was held back until the end of the answer made it one.
  | 'last'
  // What was left out.
  | 'decoy'
  | 'fence'
  | 'mark'
  | 'one-call'
