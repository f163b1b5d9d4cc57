import { type Arguments, type Dialect, hasNameMarks } from '../../dialects/dialect.ts'
import type { Node } from '../../schema/node.ts'
import type { Beginning, Context } from '../context.ts'
import { openerOf, skipWrittenNewlines } from '../marks/template.ts'
import { stands, standsAny } from '../text/literals.ts'
import type { Step } from '../text/source.ts'
import type { Outcome } from './json.ts'
import { readTagged, spellingsOf } from './tagged.ts'
import { readWords, wordsOf } from './tagged-words.ts'
import { cdataOpen } from './value-ends.ts'
import { standsWrapped } from './wrapper.ts'

/** Arguments of which each is an element, or words that are the only one; undefined where something else stands. */
export function* readTaggedForm(
  context: Context,
  dialect: Dialect,
  spec: Extract<Arguments, { as: 'tagged' }>,
  { name, begin, closers, from }: Beginning,
): Step<Outcome | undefined> {
  const { source } = context
  yield* skipWrittenNewlines(source)
  const openers = spellingsOf(spec, context.nodeOf(name)).map(({ open }) => openerOf(open))
  const words = hasNameMarks(dialect.grammar) ? wordsOf(context.nodeOf(name)) : undefined
  const isText = words !== undefined && spec.entities === true && (yield* stands(source, cdataOpen))
  if (!isText && ((yield* standsAny(source, openers)) || (yield* standsWrapped(source)))) {
    source.goTo(from)
    return yield* readTagged(context, dialect, spec, begin(), closers)
  }
  return words === undefined ? undefined : yield* readWords(context, spec, words, begin, closers)
}

const children = { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'either', entities: true } as const

/** Arguments as child elements, where JSON was expected. */
export function readChildren(
  context: Context,
  dialect: Dialect,
  node: Node,
  closers: readonly string[],
): Step<Outcome> {
  return readTagged(context, dialect, children, node, closers)
}
