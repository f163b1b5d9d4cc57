import { type Arguments, hasNameMarks } from '../../../dialects/dialect.ts'
import type { Node } from '../../../schema/node.ts'
import type { Call, Context } from '../../context.ts'
import { callOpenersOf } from '../../marks/closers.ts'
import { openerOf } from '../../marks/template.ts'
import { think } from '../../marks/vocabulary.ts'
import { type Pairs, pairsOf, type Quotation } from './quotation.ts'

export type Tagged = Extract<Arguments, { as: 'tagged' }>

/** One of the ways a dialect's arguments are written; with `key`, only this argument. */
export interface Spelling {
  readonly open: string
  readonly close: string
  readonly key?: string
}

/** The marks between which the arguments of a call stand, and what may follow them. */
export interface TaggedMarks {
  /** Of the tool. */
  readonly name: string
  readonly spec: Tagged
  readonly node: Node
  /** What closes the call. */
  readonly closers: readonly string[]
  readonly spellings: readonly Spelling[]
  /** What an argument begins with. */
  readonly openers: readonly string[]
  readonly pairs: Pairs
  /** All that may end a value or begin what it quotes, its own closer aside. */
  readonly tags: readonly string[]
  /** Their second characters. */
  readonly seconds: string
  /** What may stand after a value: the next argument, the end of the call, or another call where that is missing. */
  readonly afterValue: readonly string[]
  /** What surely follows one: an argument the tool declares, or the end of the call. */
  readonly surelyAfterValue: readonly string[]
  /** What begins a call after this one, or a thought before that. */
  readonly nextCall: readonly string[]
}

const last = new WeakMap<Context, TaggedMarks>()

/** The marks of the call that was begun: made once where an answer calls the same tool again and again. */
export function marksFor({ context, dialect, name, closers }: Call, spec: Tagged, node: Node): TaggedMarks {
  const known = last.get(context)
  if (known?.closers === closers && known.node === node && known.spec === spec && known.name === name) return known
  const spellings = spellingsOf(spec, node)
  const openers = spellings.map(({ open }) => openerOf(open))
  const pairs = pairsOf(dialect, { name })
  // A tag that may be anybody's says nothing.
  const isTelling = (opener: string, i: number): boolean => opener.length > 1 && spellings[i]?.key === undefined
  // A thought is no argument.
  const thoughts = think.open.filter((open) => !node.properties.some((key) => `<${key}>` === open))
  const nextCall = [...callOpenersOf(dialect), ...thoughts]
  const tags = [...closers, ...[...pairs.values()].flat(), ...openers.filter(isTelling)]
  const marks: TaggedMarks = {
    name,
    spec,
    node,
    closers,
    spellings,
    openers,
    pairs,
    tags,
    seconds: tags.map((tag) => tag.charAt(1)).join(''),
    afterValue: [
      ...openers,
      ...closers,
      ...nextCall,
      '<!--',
      '<?',
      ...(hasNameMarks(dialect.grammar) ? context.names : []),
    ],
    surelyAfterValue: [
      ...openers.filter((opener) => opener.length > 1),
      ...closers,
      ...node.properties.map((key) => `<${key}>`),
    ],
    nextCall,
  }
  last.set(context, marks)
  return marks
}

/** How arguments may be written in this call: as the dialect says, or by their own names as tags. */
function spellingsOf(spec: Tagged, node: Node): readonly Spelling[] {
  const own = [spec, ...(spec.also ?? [])]
  if (openerOf(spec.open) === '<') return own
  const named = node.properties.filter((key) => /^[\w.-]+$/.test(key))
  return [...own, ...named.map((key) => ({ key, open: `<${key}>`, close: `</${key}>` }))]
}

/** A value between the tags of its argument. */
export interface Value {
  readonly context: Context
  readonly marks: TaggedMarks
  /** `&amp;` and its like stand for characters. */
  readonly entities: boolean
  /** The keys read so far. */
  readonly seen: ReadonlySet<string>
  /** The template of its tag. */
  readonly open: string
  readonly close: string
  /** How deep its opening tag stands on its line; 0 where that is not the first thing on it. */
  readonly indent: number
}

/** A value being read: what it quotes, and what was passed over because of that. */
export interface ValueReading {
  readonly value: Value
  readonly quotation: Quotation
  readonly push: (text: string) => void
  /** It ends with a closing tag: tags of other names may be the value's, and their closers. */
  readonly isTagged: boolean
  /** Where it begins. */
  readonly start: number
  /** The first closer that was taken for a quoted one. What follows it is kept back. */
  passed: number | undefined
}
