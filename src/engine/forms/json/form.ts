import { literalsOf } from '../../marks/template.ts'
import { skipSpace, stands, standsAny, take } from '../../text/literals.ts'
import { look, runWhole } from '../../text/running.ts'
import { refuted, type Source, type Step } from '../../text/source.ts'
import { createDecoder, readUntil } from '../../text/value.ts'
import { readArguments } from '../arguments.ts'
import type { ArgumentsForm, Opening } from '../opening.ts'
import { readChildren } from '../tagged/form.ts'
import { type Outcome, readJson } from './json.ts'
import { readPlain, textOf } from './spoken.ts'

/** An object. */
export const jsonForm: ArgumentsForm = { read: readJsonForm, isFenced: true }

/** An object, as an element may hold it: with entities for its quotes, or itself written as elements. */
export const xmlForm: ArgumentsForm = { read: readXmlForm, isFenced: true }

function* readJsonForm(opening: Opening): Step<Outcome> {
  const { context, dialect, name, begin, next } = opening
  const { source } = context
  const spec = dialect.grammar.arguments
  const stops = spec.as === 'json' && next !== 123 ? spec.plainUntil : undefined
  const text = stops === undefined ? undefined : textOf(context.nodeOf(name))
  // The model began anew: what follows is no argument.
  const marks = [...(stops ?? []).map((stop) => stop.trimStart()), ...dialect.grammar.call.open.flatMap(literalsOf)]
  if (stops !== undefined && (yield* standsAny(source, marks))) throw refuted
  if (stops !== undefined && text !== undefined) return yield* readPlain(context, stops, text, begin)
  const cdata = yield* take(source, '<![CDATA[')
  if (next !== 123 && next !== 34 && next !== 39 && !cdata) throw refuted
  const outcome = yield* readArguments(opening, begin())
  if (cdata && outcome === 'complete') {
    yield* skipSpace(source)
    yield* take(source, ']]>')
  }
  return outcome
}

function* readXmlForm(opening: Opening): Step<Outcome> {
  const { source } = opening.context
  if (yield* stands(source, '<![CDATA[')) return yield* readJsonForm(opening)
  if (opening.next === 60) return yield* readChildren(opening)
  const isEscaped = yield* look(source, () => standsInBrace(source, '&quot;'))
  return yield* isEscaped ? readEscaped(opening) : readJsonForm(opening)
}

function* standsInBrace(source: Source, literal: string): Step<boolean> {
  if (yield* take(source, '{')) yield* skipSpace(source)
  return yield* stands(source, literal)
}

/** JSON that was escaped like any text in XML. */
function* readEscaped({ context, begin, closers }: Opening): Step<Outcome> {
  const { source, pen } = context
  const node = begin()
  let json = ''
  const { push } = createDecoder((text) => void (json += text))
  const closed = yield* readUntil(source, closers, push)
  if (!closed) return 'cut'
  pen.note('arguments_repaired', 'entities decoded')
  return runWhole(json, (inner) => readJson(inner, node, pen, { holdLast: true }))
}
