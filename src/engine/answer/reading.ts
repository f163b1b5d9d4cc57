import type { Context } from '../context.ts'
import type { Entry } from '../marks/entries.ts'
import type { Sign, Signs } from '../marks/signs.ts'
import type { Step } from '../text/source.ts'

/** One answer being read: what all its parts need. */
export interface Reading {
  readonly context: Context
  readonly signs: Signs
  /** Reads on in running text, up to the end of the answer. */
  readonly readText: () => Step<void>
  /** Reads calls by a mark that stands here; false, with nothing said and nothing read, when there are none. */
  readonly readMarked: (literal: string, entries: readonly Entry[]) => Step<boolean>
  /** Reads a message to a tool; false, with nothing said and nothing read, when there is none. */
  readonly readHeader: (sign: Extract<Sign, { kind: 'header' }>, literal: string) => Step<boolean>
}
