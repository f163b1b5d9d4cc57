import type { Dialect } from '../dialects/dialect.ts'
import type { Tool } from '../protocol/tool.ts'
import type { Trace } from '../protocol/trace/trace.ts'

export type Ending = 'stop' | 'length' | 'content_filter' | 'died' | 'called'

/** What came before a text that follows a call right away which does not stand in it. */
export interface Follows {
  /** Words came before that call. */
  readonly hasSpoken: boolean
}

export interface QuotedCalls {
  /** Whether a call of this tool was quoted at all. */
  mayHave(name: string): boolean
  /** Whether this very call was. */
  has(name: string, json: string): boolean
}

/** All that decides how an answer is read. */
export interface ReaderOptions {
  /** The dialect the model was taught; its faint marks count too. */
  readonly dialect?: Dialect | undefined
  /** Other dialects whose unmistakable marks are understood. */
  readonly others?: readonly Dialect[] | undefined
  readonly tools: readonly Tool[]
  readonly unknownTools?: 'auto' | 'call' | 'text' | undefined
  /** False: one call an answer. Undefined: as many as the dialect teaches. */
  readonly parallel?: boolean | undefined
  /** Where the model's text begins: inside a thought when the prompt opened one. */
  readonly startsIn?: 'text' | 'reasoning' | undefined
  /** A call that does not stand in the text was made right before it. */
  readonly follows?: Follows | undefined
  /** How a tool's result begins, `{name}` standing for the tool's: what a model writes of one after a call does not explain it. */
  readonly results?: readonly string[] | undefined
  /** The text is cut out of a longer one: what follows a call's arguments tells nothing about their end. */
  readonly isExcerpt?: boolean | undefined
  /** Calls that stand in messages of the request: such a call is repeated, not made. */
  readonly quoted?: QuotedCalls | undefined
  readonly newId: () => string
  /** Is told what becomes of each stretch of the text, and why. */
  readonly trace?: Trace | undefined
}
