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
  // It looked like a call, or a part of one, and is words.
  | 'cut-off'
  | 'echo'
  | 'example'
  | 'no-arguments'
  | 'no-call'
  | 'no-tool'
  | 'quoted'
  | 'thought'
  | 'too-many'
  | 'unfit'
  | 'unreadable'
  // It is a broken call that could be read in two ways.
  | 'ambiguous'
  // It was held back until the end of the answer made it a call.
  | 'last'
  // It was left out.
  | 'decoy'
  | 'edge'
  | 'mark'
  | 'one-call'
