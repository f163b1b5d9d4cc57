import type { Dialect } from '../dialects/dialect.ts'
import { readArguments, skipFence } from './arguments.ts'
import { type Context, refuted } from './context.ts'
import type { Entry } from './entries.ts'
import { readEnvelope } from './envelope.ts'
import type { Outcome } from './json.ts'
import { peek, type Source, type Step, skipSpace, stands, take, takeAny } from './source.ts'
import { readTagged } from './tagged.ts'
import { compileTemplate, openerOf, printTemplate, readTokens, type Token } from './template.ts'

/**
 * Reads the calls a mark announced; the mark itself is already taken, and `start` is where it stood. Throws `refuted` when
 * the first of them turns out to be no call. Returns where the calls end, even if their closers are missing.
 */
export function* readCalls(context: Context, entry: Entry, start: number): Step<void> {
  if (entry.at === 'call') yield* readCall(context, entry.dialect, entry.tokens, start, entry.name)
  else yield* readSection(context, entry.dialect, start)
}

function* readSection(context: Context, dialect: Dialect, start: number): Step<void> {
  const { source, transcript } = context
  const { section, call } = dialect.grammar
  for (let first = true; ; first = false) {
    const code = yield* skipSpace(source)
    const from = first ? start : source.keep()
    if (code === -1) {
      if (first) throw refuted
      return
    }
    if (yield* takeAny(source, section?.close ?? [])) {
      if (first) throw refuted
      return
    }
    if (!first && (code === 44 || code === 59)) {
      source.at++
      continue
    }
    const before = transcript.calls
    try {
      const open = yield* takeOpener(source, call.open)
      if (open !== undefined) yield* readCall(context, dialect, compileTemplate(open).slice(1), from)
      else if (call.open.length === 0 && (first || code === 123 || code === 91)) yield* readCall(context, dialect, [], from)
      else throw refuted
    } catch (thrown) {
      if (thrown !== refuted || first || transcript.calls > before) throw thrown
      // What follows the calls is not one: it is text, and the section's closer was forgotten.
      source.rewind(from)
      return
    }
    if (!transcript.afterCall) return
  }
}

function* takeOpener(source: Source, templates: readonly string[]): Step<string | undefined> {
  for (const template of templates) {
    const opener = openerOf(template)
    if (opener === '' || (yield* take(source, opener))) return template
  }
  return undefined
}

function* readCall(context: Context, dialect: Dialect, tokens: readonly Token[], start: number, named?: string): Step<void> {
  const { source } = context
  const spec = dialect.grammar.arguments
  const slots = yield* readTokens(source, tokens, 0)
  if (slots === undefined) throw refuted
  const fenced = spec.as !== 'tagged' && (yield* skipFence(source))
  if (spec.as === 'envelope') return yield* readEnvelopes(context, dialect, start, fenced)

  const name = named ?? slots.get('name')
  if (name === undefined) throw refuted
  const closers = closersOf(dialect, { name })
  const next = yield* skipSpace(source)
  if (next === -1) throw refuted
  let outcome: Outcome
  if (next === 123 || (spec.as === 'json' && (next === 34 || next === 39))) {
    outcome = yield* readArguments(context, context.startCall(name, slots.get('id'), dialect), closers)
  } else if (yield* standsAny(source, closers)) {
    context.startCall(name, slots.get('id'), dialect)
    context.pen.write('{')
    outcome = 'complete'
  } else if (spec.as === 'tagged' && (yield* stands(source, openerOf(spec.open)))) {
    outcome = yield* readTagged(context, dialect, spec, context.startCall(name, slots.get('id'), dialect), closers)
  } else throw refuted
  yield* finishCall(context, dialect, outcome, { name }, start, fenced)
}

function* readEnvelopes(context: Context, dialect: Dialect, start: number, fenced: boolean): Step<void> {
  const { source } = context
  const closers = closersOf(dialect, {})
  if ((yield* skipSpace(source)) !== 91) {
    const outcome = yield* readEnvelope(context, dialect, closers)
    yield* finishCall(context, dialect, outcome, {}, start, fenced)
    return
  }
  source.at++
  for (let first = true; ; ) {
    const code = yield* skipSpace(source)
    if (code === 44) {
      source.at++
      continue
    }
    if (code !== 123) {
      if (first) throw refuted
      if (code === 93) source.at++
      yield* takeClosers(context, dialect, {}, fenced)
      return
    }
    const outcome = yield* readEnvelope(context, dialect, closers)
    if (outcome !== 'complete') {
      failCall(context, outcome, first ? start : context.source.position)
      return
    }
    context.endCall()
    first = false
  }
}

/** Ends the open call, or leaves it unfinished when it was cut off or cannot be read on. */
function* finishCall(
  context: Context,
  dialect: Dialect,
  outcome: Outcome,
  slots: Readonly<Record<string, string>>,
  start: number,
  fenced: boolean,
): Step<void> {
  if (outcome !== 'complete') return failCall(context, outcome, start)
  const closed = yield* takeClosers(context, dialect, slots, fenced)
  const { source } = context
  const wasCut = !closed && source.at >= source.text.length && source.ended && !context.endedWell
  // JSON says itself where it ends; elements do not: more of them could have come.
  if (wasCut && dialect.grammar.arguments.as === 'tagged') return failCall(context, 'cut', start)
  if (!closed) context.pen.note('closer-missing', dialect.grammar.call.close[0])
  context.endCall()
}

function failCall(context: Context, outcome: Outcome, start: number): void {
  const { source, transcript } = context
  transcript.failCall(source.since(start), outcome === 'cut' ? 'cut-off' : 'unreadable')
}

/** Takes what closes a call; true when nothing is missing. A closer further out stands for the ones before it. */
function* takeClosers(
  context: Context,
  dialect: Dialect,
  slots: Readonly<Record<string, string>>,
  fenced: boolean,
): Step<boolean> {
  const { source } = context
  const { call, section } = dialect.grammar
  if (fenced) {
    yield* skipSpace(source)
    yield* take(source, '```')
  }
  if (call.close.length === 0) return true
  yield* skipStray(source)
  for (const close of call.close) {
    const literals = compileTemplate(printTemplate(close, slots)).flatMap((token) => ('literal' in token ? [token.literal] : []))
    let taken = false
    for (const literal of literals) {
      if (taken) yield* skipSpace(source)
      if (yield* take(source, literal)) taken = true
    }
    if (taken) return true
  }
  return yield* standsAny(source, section?.close ?? [])
}

/** White space and closing brackets too many. */
function* skipStray(source: Source): Step<void> {
  for (;;) {
    const code = yield* skipSpace(source)
    if (code !== 125) return
    source.at++
  }
}

function* standsAny(source: Source, literals: readonly string[]): Step<boolean> {
  if ((yield* peek(source)) === -1) return false
  for (const literal of literals) if (yield* stands(source, literal)) return true
  return false
}

/** The marks that end a call's arguments whatever their own state. */
function closersOf(dialect: Dialect, slots: Readonly<Record<string, string>>): readonly string[] {
  const { call, section } = dialect.grammar
  return [...call.close.map((close) => openerOf(printTemplate(close, slots))), ...(section?.close ?? [])].filter(
    (literal) => literal !== '',
  )
}
