import type { Context, Trust } from './context.ts'
import type { Sign, Signs } from './signs.ts'
import type { Step } from './source.ts'

/** One answer being read: what all its parts need. */
export interface Reading {
  readonly context: Context
  readonly signs: Signs
  /** Reads on in running text, up to the end of the answer. */
  readonly readText: () => Step<void>
  /** Reads calls by a mark that stands here; false, with nothing said and nothing read, when there are none. */
  readonly readMarked: (literal: string, signs: readonly Sign[], trust: readonly Trust[]) => Step<boolean>
}

/** In a fence every way of calling counts, messages to a tool included. */
export const anyTrust: readonly Trust[] = ['firm', 'line', 'faint', 'unmarked']
