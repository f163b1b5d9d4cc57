import type { Dialect, Frame } from '../dialects/dialect.ts'
import { readCall, readCalls, readSectionIn } from './calls.ts'
import { readCode } from './code.ts'
import { type Context, refuted } from './context.ts'
import { type Entry, fitting, skipControl } from './entries.ts'
import { classify, readHeader } from './frames.ts'
import { matchMark } from './marks.ts'
import type { Sign, Signs } from './signs.ts'
import { moreOf, peek, type Source, type Step, skipSpace, take } from './source.ts'
import { readThought } from './thoughts.ts'

export interface AnswerOptions {
  readonly startsIn: 'text' | 'reasoning'
  readonly taught: Dialect | undefined
  readonly echo: ((text: string) => boolean) | undefined
}

const backtick = 96

/** Reads a whole answer: prose, thoughts, calls, and code that only quotes calls. */
export function* readAnswer(context: Context, signs: Signs, options: AnswerOptions): Step<void> {
  if (options.startsIn === 'reasoning')
    yield* readThought(context, signs, { closers: signs.thoughtCloses }, () => readText(context, signs, options))
  else if (options.taught?.grammar.frame?.startsInHeader === true) {
    yield* readMessage(context, signs, options, options.taught, options.taught.grammar.frame, '')
  }
  yield* readText(context, signs, options)
}

function* readText(context: Context, signs: Signs, options: AnswerOptions): Step<void> {
  const { source, transcript } = context
  const { starts } = signs.marks
  const fast = (chunk: string): boolean => {
    for (let i = 0; i < chunk.length; i++) if (starts[chunk.charCodeAt(i)] === 1) return false
    transcript.text(chunk)
    return true
  }
  for (;;) {
    const text = source.text
    let at = source.at
    while (at < text.length && starts[text.charCodeAt(at)] !== 1) at++
    if (at > source.at) transcript.text(text.slice(source.at, at))
    source.at = at
    if (at === text.length) {
      source.letGo()
      if (!(yield* moreOf(source, fast))) return
      continue
    }
    const match = yield* matchMark(source, signs.marks)
    if (match !== undefined && (yield* readSign(context, signs, options, match.literal, match.values))) continue
    if (source.text.charCodeAt(source.at) === backtick)
      yield* readCode(context, signs, {
        isQuoted: (mark) => options.echo?.(mark) === true,
        readMessage: ({ dialect, frame }, mark) => readMessage(context, signs, options, dialect, frame, mark),
      })
    else sayNext(context)
  }
}

function sayNext(context: Context): void {
  context.transcript.text(context.source.text.charAt(context.source.at))
  context.source.at++
}

/** Acts on a mark; false when it means nothing here and is text. */
function* readSign(
  context: Context,
  signs: Signs,
  options: AnswerOptions,
  literal: string,
  values: readonly Sign[],
): Step<boolean> {
  const { source, transcript } = context
  const entries = values.flatMap((sign) => (sign.kind === 'call' ? [sign.entry] : []))
  if (entries.length > 0 && (yield* readCandidates(context, options, literal, entries))) return true
  for (const sign of values) {
    if (sign.kind === 'thought' && transcript.lineStart) {
      source.at += literal.length
      transcript.dropLeadingSpace()
      yield* readThought(context, signs, { closers: sign.close }, () => readText(context, signs, options))
      return true
    }
    if (
      sign.kind === 'header' &&
      !context.inMessage &&
      (yield* readMessage(context, signs, options, sign.dialect, sign.frame, literal))
    )
      return true
    if (sign.kind === 'stray' && (sign.always || transcript.afterCall)) {
      source.at += literal.length
      if (sign.until !== undefined) yield* skipPast(source, sign.until)
      context.inMessage = false
      transcript.note('mark_dropped', literal)
      return true
    }
  }
  return false
}

/** Leaves out the rest of a mark that has no fixed text: up to and with `end`, on the same line. */
function* skipPast(source: Source, end: string): Step<void> {
  for (let length = 0; length < 128; length++) {
    if (yield* take(source, end)) return
    const code = yield* peek(source)
    if (code === -1 || code === 10) return
    source.at++
  }
}

/** Reads a message's header and, for calls and thoughts, its body; false, with nothing read, when it is no header. */
function* readMessage(
  context: Context,
  signs: Signs,
  options: AnswerOptions,
  dialect: Dialect,
  frame: Frame,
  literal: string,
): Step<boolean> {
  const { source, transcript } = context
  if (source.isWeary) return false
  const start = source.keep()
  source.at += literal.length
  const header = frame.body.includes(literal) ? classify(frame, literal) : yield* readHeader(source, frame)
  if (header === undefined) {
    source.rewind(start)
    return false
  }
  if (header.kind === 'call') {
    const mark = literal === '' ? (frame.body[0] ?? '') : literal
    const opening = source.since(start)
    context.onFaintMark = dialect.grammar.faint === true
    const read =
      dialect.grammar.section === undefined
        ? () => readCall(context, dialect, [], start, header.name)
        : () => readSectionIn(context, dialect, start)
    if (yield* tries(context, options, mark, start, read)) return true
    if (source.ended) context.wasOpen ||= !context.endedWell
    // A message to a tool that holds no call is shown with its header: without it nobody would know what it is.
    source.rewind(start)
    source.at += opening.length
    transcript.text(opening)
    return true
  }
  if (!transcript.holding) source.letGo()
  transcript.dropLeadingSpace()
  context.inMessage = header.kind === 'text' && frame.closes === true
  if (header.kind === 'thought')
    yield* readThought(context, signs, { closers: frame.close, stops: stopsOf(frame) }, () =>
      readText(context, signs, options),
    )
  return true
}

/** What ends a thought that was not closed: the next message, or a mark that begins a call by itself. */
function stopsOf(frame: Frame): readonly string[] {
  return [...frame.open, ...frame.body.filter((mark) => classify(frame, mark)?.kind === 'call')]
}

/** Tries the ways into a call this mark offers; false, with nothing said and nothing read, when it is none. */
function* readCandidates(
  context: Context,
  options: AnswerOptions,
  literal: string,
  entries: readonly Entry[],
): Step<boolean> {
  const { source, transcript } = context
  const possible = entries.filter(
    (entry) => !entry.faint || transcript.lineStart || (entry.inline === true && transcript.pauses),
  )
  if (possible.length === 0 || source.isWeary) return false
  const start = source.keep()
  source.at += literal.length
  if (yield* enter(context, options, literal, start, possible)) return true
  source.rewind(start)
  // The mark, and then the mark again: the model began anew.
  if ((yield* skipMarks(source, literal)) > 1 && (yield* enter(context, options, literal, start, possible))) {
    transcript.note('mark_dropped', literal)
    return true
  }
  source.rewind(start)
  return false
}

/** Takes a mark as often as it stands here; says how often. */
function* skipMarks(source: Source, literal: string): Step<number> {
  for (let count = 0; ; count++) {
    yield* skipSpace(source)
    if (!(yield* take(source, literal))) return count
  }
}

/** Reads calls after their mark by the first way in that goes through. */
function* enter(
  context: Context,
  options: AnswerOptions,
  literal: string,
  start: number,
  entries: readonly Entry[],
): Step<boolean> {
  const { source } = context
  const here = source.keep()
  const fit = yield* fitting(source, entries)
  for (const entry of fit) {
    if (entry.bare === true) source.rewind(here - literal.length)
    else yield* skipControl(source)
    if (yield* tries(context, options, literal, start, () => readCalls(context, entry, start))) return true
    source.rewind(here)
  }
  const isOpen = fit.length > 0 || (source.at >= source.text.length && entries.some(({ faint }) => !faint))
  if (source.ended && isOpen) context.wasOpen ||= !context.endedWell
  return false
}

/**
 * Reads calls, keeping them back if they may only repeat the request. False when there are none: then nothing was said,
 * and the reader may be anywhere.
 */
function* tries(
  context: Context,
  options: AnswerOptions,
  mark: string,
  start: number,
  read: () => Step<void>,
): Step<boolean> {
  const { source, transcript } = context
  const suspicious = !transcript.holding && options.echo?.(mark) === true
  if (suspicious) transcript.hold()
  try {
    yield* read()
    if (suspicious) settleEcho(context, options, start)
    if (context.isSuspicious) settleQuoted(context, start)
    // Who holds events back may have to go back too.
    if (!transcript.holding) source.letGo()
    return true
  } catch (thrown) {
    if (thrown !== refuted) throw thrown
    if (suspicious || context.isSuspicious) transcript.drop()
    context.isSuspicious = false
    return false
  }
}

function settleQuoted(context: Context, start: number): void {
  const { source, transcript } = context
  context.isSuspicious = false
  if (!context.hasQuoted) return context.release()
  transcript.drop()
  transcript.note('echo')
  transcript.text(source.since(Math.max(start, context.toldUpTo)))
}

/** A call that stands word for word in the request was repeated, not made. */
function settleEcho(context: Context, options: AnswerOptions, start: number): void {
  const { source, transcript } = context
  const raw = source.since(start)
  if (options.echo?.(raw.trim()) !== true) {
    context.release()
    return
  }
  transcript.drop()
  transcript.note('echo')
  transcript.text(raw)
}
