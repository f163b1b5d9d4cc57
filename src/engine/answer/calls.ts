import type { Dialect } from '../../dialects/dialect.ts'
import { ANY } from '../../schema/compile.ts'
import type { Context } from '../context.ts'
import { runWhole, skipFence } from '../forms/arguments.ts'
import { readForm } from '../forms/form.ts'
import { readJson } from '../forms/json.ts'
import type { Entry } from '../marks/entries.ts'
import { isForeignId } from '../marks/ids.ts'
import { cleanName } from '../marks/names.ts'
import { literalsOf, openerOf, printTemplate, readTokens, type Token, tokensAfterOpener } from '../marks/template.ts'
import { skipSpace, standsAny, take, takeRun } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import { apart, attempt, more } from '../text/running.ts'
import { refuted, type Source, type Step } from '../text/source.ts'
import { closersOf, finishCall } from './closing.ts'
import { readEnvelopes } from './envelopes.ts'

/**
 * Reads the calls a mark announced; the mark itself is already taken, and `start` is where it stood. Throws `refuted` when
 * the first of them turns out to be no call. Returns where the calls end, even if their closers are missing.
 */
export function* readCalls(context: Context, entry: Entry, start: number): Step<boolean> {
  context.trust = entry.trust
  if (entry.bare === true) yield* readSection(context, entry.dialect, start)
  else if (entry.untagged === true) yield* readUntagged(context, entry.dialect, entry.name ?? '', start)
  else if (entry.at === 'call') yield* readCall(context, entry.dialect, entry.tokens, start, entry.name)
  else {
    const body = context.source.position
    if ((yield* readTokens(context.source, entry.tokens, 0)) === undefined) throw refuted
    yield* readSection(context, entry.dialect, start)
    yield* skipRepetition(context, body)
  }
  return true
}

const maxRepetition = 4096

/** A section that is written a second time without its opener, word for word, was not meant twice. */
function* skipRepetition({ source, pen }: Context, body: number): Step<void> {
  if (source.position - body > maxRepetition) return
  const raw = source.since(body)
  if (raw.trim() === '') return
  if ((yield* attempt(source, () => takeAgain(source, raw))) === true) pen.note('echo')
}

function* takeAgain(source: Source, raw: string): Step<boolean> {
  for (let read = 0; read < raw.length; ) {
    if (!(yield* more(source))) return false
    const piece = source.text.slice(source.at, source.at + raw.length - read)
    if (!raw.startsWith(piece, read)) return false
    source.at += piece.length
    read += piece.length
  }
  return true
}

/** A call whose name lacks its tag: `read_file`, a line's end, and an argument this tool declares. */
function* readUntagged(context: Context, dialect: Dialect, name: string, start: number): Step<void> {
  const { source } = context
  yield* take(source, ':')
  yield* skipSpace(source)
  const spec = dialect.grammar.arguments
  const open = spec.as === 'tagged' ? spec.open : ''
  const openers = context.nodeOf(name).properties.map((key) => openerOf(printTemplate(open, { key })))
  if (!(yield* standsAny(source, openers))) throw refuted
  yield* readCall(context, dialect, [], start, name)
}

/** A section inside a message that is already known to hold calls. */
export function* readSectionIn(context: Context, dialect: Dialect, start: number): Step<boolean> {
  const { source } = context
  yield* skipSpace(source)
  for (const open of dialect.grammar.section?.open ?? []) {
    if (yield* take(source, literalsOf(open).at(-1) ?? '')) break
  }
  yield* readSection(context, dialect, start)
  return true
}

function* readSection(context: Context, dialect: Dialect, start: number): Step<void> {
  const { source, transcript } = context
  const { section } = dialect.grammar
  const mark = source.since(start)
  for (let first = true; ; first = false) {
    const from = first ? start : source.position
    let code = yield* skipSpace(source)
    if (!first && (code === 44 || code === 59)) {
      source.at++
      code = yield* skipSpace(source)
    }
    if (code === -1) {
      if (first) throw refuted
      return
    }
    const mayBeEmpty = first && mark !== '' && dialect.name === context.taught?.name
    const isEmptyList = mayBeEmpty && (yield* take(source, '[]'))
    if (isEmptyList) yield* skipSpace(source)
    const isClosed = yield* takeSectionClose(source, section?.close ?? [])
    if (isClosed && !first) return
    if (isClosed || isEmptyList) {
      // Marks around nothing are no words at the ends of an answer and next to calls; else somebody speaks of them.
      const isToken = isClosed && /^<[|｜]/.test(mark)
      const isLast = (isEmptyList || isToken) && (yield* skipSpace(source)) === -1
      const isPlaced =
        isLast || (isClosed && (isEmptyList || isToken) && !transcript.hasSpoken) || (isToken && transcript.afterCall)
      if (!isPlaced) throw refuted
      context.pen.note('mark_dropped', mark)
      return
    }
    if (!(yield* readOneOf(context, dialect, code, from))) {
      if (first) throw refuted
      // What follows the calls is not one: it is text, and the section's closer was forgotten.
      source.goTo(from)
      yield* skipHalf(source, section?.close ?? [])
      return
    }
    if (!transcript.afterCall) return
    // A list of which the first call was made is one: a tool nobody knows in it is a mistake, not words.
    if (mark !== '' && !transcript.holding) context.trust = 'firm'
  }
}

const maxCloser = 64

/** Half a closer at the very end is no text. */
function* skipHalf(source: Source, closes: readonly string[]): Step<void> {
  yield* attempt(source, () => takeHalf(source, closes))
}

function* takeHalf(source: Source, closes: readonly string[]): Step<boolean> {
  yield* skipSpace(source)
  const length = source.text.length - source.at
  if (!source.ended || length === 0 || length > maxCloser) return false
  const rest = source.text.slice(source.at)
  source.at += length
  return closes.some((close) => close.trimStart().startsWith(rest))
}

function* takeSectionClose(source: Source, closes: readonly string[]): Step<boolean> {
  for (const close of closes) {
    const [first = '', ...rest] = literalsOf(close)
    if (!(yield* take(source, first))) continue
    for (const literal of rest) {
      yield* skipSpace(source)
      yield* take(source, literal)
    }
    return true
  }
  return false
}

/** Reads a call by whichever of the dialect's spellings fits; an envelope is understood in any section. */
function* readOneOf(context: Context, dialect: Dialect, code: number, start: number): Step<boolean> {
  const { source } = context
  const { open } = dialect.grammar.call
  for (const template of open) {
    if ((yield* attempt(source, () => readOpened(context, dialect, template, start))) === true) return true
  }
  if (code !== 123 && code !== 91 && open.length > 0) return false
  return (yield* attempt(source, () => readFenced(context, dialect, start))) === true
}

function* readOpened(context: Context, dialect: Dialect, template: string, start: number): Step<boolean> {
  const { source } = context
  const opener = openerOf(template)
  if (opener !== '' && !(yield* take(source, opener))) return false
  const isAnew = opener !== '' && (yield* attempt(source, () => takeRestart(source, opener))) === true
  yield* readCall(context, dialect, tokensAfterOpener(template), start)
  if (isAnew) context.pen.note('mark_dropped', opener)
  return true
}

function* readFenced(context: Context, dialect: Dialect, start: number): Step<boolean> {
  return yield* readEnvelopes(context, dialect, start, yield* skipFence(context.source))
}

const maxRestart = 256

/** Takes a name and the opener again: the model began anew, and what it had begun was no call yet. */
function* takeRestart(source: Source, opener: string): Step<boolean> {
  const name = yield* takeRun(source, maxRestart, (code) => !/[\w.:\s-]/.test(String.fromCharCode(code)))
  return name !== undefined && (yield* take(source, opener))
}

/** Reads one call after its opener; `named` where the name was read with it. */
export function* readCall(
  context: Context,
  dialect: Dialect,
  tokens: readonly Token[],
  start: number,
  named?: string,
): Step<boolean> {
  const { source } = context
  const spec = dialect.grammar.arguments
  const slots = yield* readTokens(source, tokens, 0)
  if (slots === undefined) throw refuted
  const fenced = (spec.as === 'envelope' || spec.as === 'json') && (yield* skipFence(source))
  if (spec.as === 'envelope') return yield* readEnvelopes(context, dialect, start, fenced)

  // An id that holds the name, `functions.set_lamp:0`.
  const name = named ?? slots.get('name') ?? (slots.has('id') ? cleanName(slots.get('id') ?? '') : undefined)
  if (name === undefined) throw refuted
  // A tag that never ended, around a word no tool has, is none.
  if (slots.has('unclosed') && context.hasTools && !context.isKnown(name, dialect)) throw refuted
  if (slots.has('/')) {
    if (context.trust === 'unmarked') context.refuse('no-arguments')
    context.startCall(name, dialect)
    context.pen.write('{')
    context.endCall()
    return true
  }
  const isUnknown = !context.isKnown(name, dialect)
  if (isUnknown && isForeignId(dialect.grammar.ids, slots.get('id') ?? ''))
    return yield* readNameless(context, dialect, start)
  const closers = closersOf(dialect, { name })
  // A word between two marks is no call of a tool nobody knows.
  const isWord = isUnknown && context.hasTools && tokens.length > 0 && slots.size === tokens.length
  if (isWord && (yield* skipSpace(source)) !== -1 && (yield* standsAny(source, closers))) throw refuted
  const outcome = yield* apart(source, readForm(context, dialect, name, closers))
  yield* finishCall(context, dialect, outcome, { name }, start, fenced)
  return true
}

/** A call whose id holds no name: the tool is the one these arguments are for, if there is exactly one. */
function* readNameless(context: Context, dialect: Dialect, start: number): Step<boolean> {
  let json = ''
  const pen = { write: (piece: string) => void (json += piece), note: ignore }
  const outcome = yield* readJson(context.source, ANY, pen)
  if (outcome !== 'complete' || !json.startsWith('{')) throw refuted
  const name = context.nameFor(Object.keys(JSON.parse(json) as object))
  if (name === undefined) throw refuted
  const node = context.startCall(name, dialect)
  context.pen.note('name_inferred', name)
  runWhole(json, (inner) => readJson(inner, node, context.pen, { holdLast: true }))
  yield* finishCall(context, dialect, 'complete', { name }, start, false)
  return true
}
