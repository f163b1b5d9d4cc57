import { hasNameMarks } from '../../../dialects/dialect.ts'
import { openerOf, skipWrittenNewlines } from '../../marks/template.ts'
import { salvage } from '../../salvage/salvage.ts'
import { proposeTagged } from '../../salvage/tagged.ts'
import { stands, standsAny } from '../../text/literals.ts'
import { refuted, type Step } from '../../text/source.ts'
import { beginsArguments } from '../arguments.ts'
import type { Outcome } from '../json/json.ts'
import { type ArgumentsForm, type Opening, readObject } from '../opening.ts'
import { marksFor, type Tagged } from './marks.ts'
import { readElements } from './tagged.ts'
import { cdataOpen } from './value.ts'
import { readWords, wordsOf } from './words.ts'
import { standsWrapped, takeWrapper } from './wrapper.ts'

/** Arguments of which each is an element, or words that are the only one. */
export const taggedForm: ArgumentsForm = { read: readTaggedForm, isElements: true }

function* readTaggedForm(opening: Opening): Step<Outcome> {
  const { context, dialect, name, from } = opening
  const { source } = context
  const spec = dialect.grammar.arguments
  if (spec.as !== 'tagged') throw refuted
  yield* skipWrittenNewlines(source)
  const node = context.nodeOf(name)
  const { openers } = marksFor(opening, spec, node, opening.closers)
  // In a sentence, or where nobody taught such tags, words in one are a page's: `<code>ls</code>`.
  const { lineStart, pauses } = context.transcript
  const isSpoken = hasNameMarks(dialect.grammar) && context.trust !== 'unmarked' && (lineStart || pauses)
  const words = isSpoken ? wordsOf(node) : undefined
  const isText = words !== undefined && spec.entities === true && (yield* stands(source, cdataOpen))
  // `<parameter:room>`: an argument all the same.
  const odd = /^.*<\W*\w+/s.exec(openerOf(spec.open))?.[0]
  const begins = odd === undefined ? openers : [...openers, odd]
  if (!isText && ((yield* standsAny(source, begins)) || (yield* standsWrapped(source)))) {
    source.goTo(from)
    return yield* readTagged(opening, spec)
  }
  const isObject = words === undefined || (opening.next === 123 && (yield* beginsArguments(source, node)))
  return yield* isObject ? readObject(opening) : readWords(opening, spec, words)
}

/** Reads arguments that are elements, which may all stand in one more. */
function* readTagged(call: Opening, spec: Tagged): Step<Outcome> {
  const { context } = call
  const { source, pen, names } = context
  const node = call.begin()
  const wrapper = yield* takeWrapper(context, node, openerOf(spec.open) === '<')
  const closers = wrapper === undefined ? call.closers : [...call.closers, wrapper]
  const marks = marksFor(call, spec, node, closers)
  const from = source.position
  const outcome = yield* readElements({ source, pen, marks, wrapper, names })
  return outcome === 'complete' ? outcome : yield* salvage(call, node, from, outcome, proposeTagged(marks, wrapper))
}

const children = { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'either', entities: true } as const

/** Arguments as child elements, where JSON was expected. */
export function readChildren(opening: Opening): Step<Outcome> {
  return readTagged(opening, children)
}
