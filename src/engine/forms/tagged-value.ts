import type { Arguments, Dialect } from '../../dialects/dialect.ts'
import type { Node } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import { openerOf } from '../marks/template.ts'

/** One of the ways a dialect's arguments are written; with `key`, only this argument. */
export interface Spelling {
  readonly open: string
  readonly close: string
  readonly key?: string
}

/** A value between the tags of its argument. */
export interface Value {
  readonly context: Context
  readonly dialect: Dialect
  readonly spec: Extract<Arguments, { as: 'tagged' }>
  readonly node: Node
  /** What closes the call. */
  readonly closers: readonly string[]
  readonly spellings: readonly Spelling[]
  /** The keys read so far. */
  readonly seen: ReadonlySet<string>
  readonly close: string
  /** The second characters of all that may end it, its own closer aside: most that begins like them ends there. */
  readonly seconds: string
  /** How deep its opening tag stands on its line; 0 where that is not the first thing on it. */
  readonly indent: number
}

/** The second characters of these marks. */
export function secondsOf(closers: readonly string[], spellings: readonly Spelling[]): string {
  return [...closers, ...spellings.map(({ open }) => openerOf(open))].map((mark) => mark.charAt(1)).join('')
}
