import type { Dialect } from '../../dialects/dialect.ts'
import type { Node } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import { skipSpace, stands, standsAny, take } from '../text/literals.ts'
import { look } from '../text/running.ts'
import { refuted, type Source, type Step } from '../text/source.ts'
import { createDecoder, readUntil } from '../text/value.ts'
import { readArguments, runWhole } from './arguments.ts'
import { type Outcome, readJson } from './json.ts'
import { readPlain, textOf } from './spoken.ts'

/** Begins the call once its arguments are seen to begin, and reads them. */
export function* readForm(context: Context, dialect: Dialect, name: string, closers: readonly string[]): Step<Outcome> {
  const { source, pen, forms } = context
  const spec = dialect.grammar.arguments
  const begin = (): Node => context.startCall(name, dialect)
  const from = source.position
  const next = yield* skipSpace(source)
  if (next === -1) {
    // A call without arguments or closer at the very end.
    const isWord = context.hasTools && !context.isKnown(name, dialect)
    if (!context.endedWell || dialect.grammar.call.close.length > 0 || isWord) throw refuted
    begin()
    pen.write('{')
    return 'complete'
  }
  if (spec.as === 'keywords')
    return yield* known(forms.keywords)(source, begin(), pen, dialect.grammar.call.close[0] === '))')
  if (yield* standsAny(source, closers)) {
    // Elements may be left out; what should have been an object says nothing by its absence.
    const isCalled =
      spec.as === 'tagged' || (context.isKnown(name, dialect) && context.nodeOf(name).required.length === 0)
    if (context.trust === 'unmarked' || (context.hasTools && !isCalled)) context.refuse('no-arguments')
    begin()
    pen.write('{')
    return 'complete'
  }
  if (spec.as === 'yaml')
    return yield* known(forms.yaml)(source, begin(), pen, closers, source.since(from), () => context.endedWell)
  if (spec.as === 'pseudo' && next === 123)
    return yield* known(forms.pseudo)(source, spec.quote, begin(), pen, closers, () => context.endedWell)
  if (spec.as === 'tagged') {
    const outcome = yield* known(forms.tagged)(context, dialect, spec, { name, begin, closers, from })
    if (outcome !== undefined) return outcome
  }
  const stops = spec.as === 'json' && next !== 123 ? spec.plainUntil : undefined
  const text = stops === undefined ? undefined : textOf(context.nodeOf(name))
  if (stops !== undefined && text !== undefined) return yield* readPlain(context, stops, text, begin)
  const cdata = spec.as === 'json' && (yield* take(source, '<![CDATA['))
  if (spec.as === 'json' && spec.xml === true && !cdata) {
    if (next === 60) return yield* known(forms.children)(context, dialect, begin(), closers)
    if (yield* standsAfterBrace(source, '&quot;')) return yield* readEscaped(context, begin(), closers)
  }
  if (next !== 123 && !cdata && !(spec.as === 'json' && (next === 34 || next === 39))) throw refuted
  const outcome = yield* readArguments(context, begin(), closers)
  if (cdata && outcome === 'complete') {
    yield* skipSpace(source)
    yield* take(source, ']]>')
  }
  return outcome
}

/** A form that did not come along is none that could be read. */
function known<Form>(form: Form | undefined): Form {
  if (form === undefined) throw refuted
  return form
}

function* standsAfterBrace(source: Source, literal: string): Step<boolean> {
  return yield* look(source, () => standsInBrace(source, literal))
}

function* standsInBrace(source: Source, literal: string): Step<boolean> {
  if (yield* take(source, '{')) yield* skipSpace(source)
  return yield* stands(source, literal)
}

/** JSON that was escaped like any text in XML. */
function* readEscaped(context: Context, node: Node, closers: readonly string[]): Step<Outcome> {
  const { source, pen } = context
  let json = ''
  const { push } = createDecoder((text) => void (json += text))
  const closed = yield* readUntil(source, '<', () => standsAny(source, closers), push)
  if (!closed) return 'cut'
  pen.note('arguments_repaired', 'entities decoded')
  return runWhole(json, (inner) => readJson(inner, node, pen, { holdLast: true }))
}
