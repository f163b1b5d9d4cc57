import { type Arguments, type Dialect, hasNameMarks } from '../../../dialects/dialect.ts'
import type { Node } from '../../../schema/node.ts'
import type { Call } from '../../context.ts'
import { callOpenersOf } from '../../marks/closers.ts'
import { openerOf, printTemplate } from '../../marks/template.ts'
import { think } from '../../marks/vocabulary.ts'

export type Tagged = Extract<Arguments, { as: 'tagged' }>

/** One of the ways a dialect's arguments are written; with `key`, only this argument. */
export interface Spelling {
  readonly open: string
  readonly close: string
  readonly key?: string
}

/** The marks between which the arguments of a call stand. */
export interface TaggedMarks {
  readonly dialect: Dialect
  readonly spec: Tagged
  readonly node: Node
  /** What closes the call. */
  readonly closers: readonly string[]
  readonly spellings: readonly Spelling[]
  /** What an argument begins with. */
  readonly openers: readonly string[]
  /** What begins a call after this one, or a thought before that. */
  readonly nextCall: readonly string[]
  /** What may follow a value. */
  readonly afterValue: readonly string[]
  /** What may mean, in a value, that its closer is missing. */
  readonly signals: readonly string[]
  /** Closers that do not stand in the rest of the answer. */
  readonly missing: Set<string>
}

export function marksFor(
  { context, dialect }: Pick<Call, 'context' | 'dialect'>,
  spec: Tagged,
  node: Node,
  closers: readonly string[],
): TaggedMarks {
  const spellings = spellingsOf(spec, node)
  const openers = spellings.map(({ open }) => openerOf(open))
  // A thought is no argument.
  const thoughts = think.open.filter((open) => !node.properties.some((key) => `<${key}>` === open))
  const nextCall = [...callOpenersOf(dialect), ...thoughts]
  const names = hasNameMarks(dialect.grammar) ? [...context.names] : []
  const keyed = node.properties.map((key) => openerOf(printTemplate(spec.open, { key })))
  const telling = openers.filter((opener, i) => opener.length > 1 && spellings[i]?.key === undefined)
  return {
    dialect,
    spec,
    node,
    closers,
    spellings,
    openers,
    nextCall,
    afterValue: [...openers, ...closers, ...nextCall, '<!--', '<?', '\\n', ...names],
    missing: context.missing,
    signals: [...new Set([...closers, ...callOpenersOf(dialect), ...telling, ...keyed])],
  }
}

/** How arguments may be written in this call: as the dialect says, or by their own names as tags. */
function spellingsOf(spec: Tagged, node: Node): readonly Spelling[] {
  const own = [spec, ...(spec.also ?? [])]
  if (openerOf(spec.open) === '<') return own
  const named = node.properties.filter((key) => /^[\w.-]+$/.test(key))
  return [...own, ...named.map((key) => ({ key, open: `<${key}>`, close: `</${key}>` }))]
}
