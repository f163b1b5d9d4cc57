import { type Dialect, hasNameMarks } from '../../dialects/dialect.ts'
import { ANY } from '../../schema/compile.ts'
import type { Node } from '../../schema/node.ts'
import type { Call, CallReader, Context } from '../context.ts'
import { skipFence } from '../forms/arguments.ts'
import { type Outcome, readJson } from '../forms/json/json.ts'
import { isFitting } from '../forms/members.ts'
import type { ArgumentsForm } from '../forms/opening.ts'
import { callOpenersOf, closersOf } from '../marks/closers.ts'
import type { Way } from '../marks/entries.ts'
import { isForeignId } from '../marks/ids.ts'
import { cleanName } from '../marks/names.ts'
import { openerOf, printTemplate, readTokens } from '../marks/template.ts'
import { skipSpace, standsAny, take } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import { apart, runWhole } from '../text/running.ts'
import { refuted, type Step } from '../text/source.ts'
import { readCall } from './calls.ts'
import { finishCall } from './closing.ts'

/** Reads calls whose name stands outside their arguments, which are written in this form. */
export function named(form: ArgumentsForm): CallReader {
  return function* (context, { dialect, tokens, name: written }, start) {
    const { source } = context
    const slots = yield* readTokens(source, tokens)
    if (slots === undefined) return false
    const isFenced = form.isFenced === true && (yield* skipFence(source))
    // An id that holds the name, `functions.set_lamp:0`.
    const name = written ?? slots.get('name') ?? (slots.has('id') ? cleanName(slots.get('id') ?? '') : undefined)
    if (name === undefined) return false
    // A tag that never ended, around a word no tool has, is none.
    if (slots.has('unclosed') && context.hasTools && !context.isKnown(name, dialect)) return false
    if (slots.has('/')) {
      beginEmpty(context, dialect, name, form)
      context.endCall()
      return true
    }
    const isUnknown = !context.isKnown(name, dialect)
    if (isUnknown && isForeignId(dialect.grammar.ids, slots.get('id') ?? ''))
      return yield* readNameless(context, dialect, start)
    if (!context.mayBeCalled(name, dialect)) return false
    // A tag that never ended took in what begins the next call.
    const openers = callOpenersOf(dialect)
    if ([...slots.values()].some((text) => openers.some((opener) => text.includes(opener)))) return false
    const closers = closersOf(dialect, name)
    // A word between two marks is no call of a tool nobody knows.
    const isWord = isUnknown && context.hasTools && tokens.length > 0 && slots.size === tokens.length
    // Nor is one that a mark follows on the same line.
    if (isUnknown && context.hasTools && form.isElements === true && /\S[ \t]+$/.test(source.since(start))) return false
    if (isWord && (yield* skipSpace(source)) !== -1 && (yield* standsAny(source, closers))) return false
    const call: Call = { context, dialect, name, start, isFenced, closers }
    yield* finishCall(call, yield* apart(source, readForm(call, form)))
    return true
  }
}

/** Begins the call once its arguments are seen to begin, and reads them. */
function* readForm(call: Call, form: ArgumentsForm): Step<Outcome> {
  const { context, dialect, name, closers } = call
  const { source } = context
  const begin = (): Node => context.startCall(name, dialect)
  const from = source.position
  const next = yield* skipSpace(source)
  // A call without arguments or closer at the very end.
  if (next === -1 && (!context.endedWell || dialect.grammar.call.close.length > 0)) throw refuted
  if (next !== -1 && (form.isClosed === true || !(yield* standsAny(source, closers))))
    return yield* form.read({ ...call, begin, from, next })
  beginEmpty(context, dialect, name, form)
  return 'complete'
}

/** Begins a call without arguments. */
function beginEmpty(context: Context, dialect: Dialect, name: string, form: ArgumentsForm): void {
  // Elements may be left out, unless a tag is all there is; what should have been an object says nothing by its absence.
  const mayLackAll = form.isElements === true && !hasNameMarks(dialect.grammar)
  const isWhole = mayLackAll || (context.isKnown(name, dialect) && context.nodeOf(name).required.length === 0)
  if (context.trust === 'unmarked' || (context.hasTools && !isWhole)) context.refuse('no-arguments')
  context.startCall(name, dialect)
  context.pen.write('{')
}

/** A call whose name lacks its tag: `read_file`, a line's end, and an argument this tool declares. */
export function* readUntagged(context: Context, { dialect, name = '' }: Way, start: number): Step<boolean> {
  const { source } = context
  yield* take(source, ':')
  yield* skipSpace(source)
  const spec = dialect.grammar.arguments
  const open = spec.as === 'tagged' ? spec.open : ''
  const openers = context.nodeOf(name).properties.map((key) => openerOf(printTemplate(open, { key })))
  return (yield* standsAny(source, openers)) && (yield* readCall(context, { dialect, tokens: [], name }, start))
}

/** A call whose id holds no name: the tool is the one these arguments are for, if there is exactly one. */
function* readNameless(context: Context, dialect: Dialect, start: number): Step<boolean> {
  let json = ''
  const pen = { write: (piece: string) => void (json += piece), note: ignore }
  const outcome = yield* readJson(context.source, ANY, pen)
  if (outcome !== 'complete' || !json.startsWith('{')) return false
  const [name, ...others] = [...context.names].filter((one) => isFitting(context.nodeOf(one), json))
  if (name === undefined || others.length > 0) return false
  const node = context.startCall(name, dialect)
  context.pen.note('name_inferred', name)
  runWhole(json, (inner) => readJson(inner, node, context.pen, { holdLast: true }))
  yield* finishCall({ context, dialect, name, start, isFenced: false, closers: closersOf(dialect, name) }, 'complete')
  return true
}
