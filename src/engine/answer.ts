import type { Dialect, Frame } from '../dialects/dialect.ts'
import { readCall, readCalls, readSectionIn } from './calls.ts'
import { type Context, refuted } from './context.ts'
import { type Entry, fitting } from './entries.ts'
import { classify, readHeader } from './frames.ts'
import { matchMark } from './marks.ts'
import type { Sign, Signs } from './signs.ts'
import { moreOf, peek, type Source, type Step, skipSpace, stands, take, takeAny } from './source.ts'
import { readUntil } from './value.ts'

export interface AnswerOptions {
  readonly startsIn: 'text' | 'reasoning'
  readonly taught: Dialect | undefined
  readonly echo: ((text: string) => boolean) | undefined
}

const backtick = 96

/** Reads a whole answer: prose, thoughts, calls, and code that only quotes calls. */
export function* readAnswer(context: Context, signs: Signs, options: AnswerOptions): Step<void> {
  if (options.startsIn === 'reasoning') yield* readThought(context, signs, options, signs.thoughtCloses)
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
    if (source.text.charCodeAt(source.at) === backtick) yield* readCode(context, signs, options)
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
      yield* readThought(context, signs, options, sign.close)
      return true
    }
    if (sign.kind === 'header' && (yield* readMessage(context, signs, options, sign.dialect, sign.frame, literal)))
      return true
    if (sign.kind === 'stray' && (sign.always || transcript.afterCall)) {
      source.at += literal.length
      if (sign.until !== undefined) yield* skipPast(source, sign.until)
      transcript.note('mark-dropped', literal)
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
  if (header?.kind === 'call') {
    const suspicious = isSuspicious(context, options, literal === '' ? (frame.body[0] ?? '') : literal)
    if (suspicious) transcript.hold()
    try {
      if (dialect.grammar.section !== undefined) yield* readSectionIn(context, dialect, start)
      else yield* readCall(context, dialect, [], start, header.name)
      if (suspicious) settleEcho(context, options, start)
      source.letGo()
      return true
    } catch (thrown) {
      if (thrown !== refuted) throw thrown
      if (suspicious) transcript.drop()
      if (source.ended) context.wasOpen ||= !context.endedWell
    }
  } else if (header !== undefined) {
    source.letGo()
    transcript.dropLeadingSpace()
    if (header.kind === 'thought') yield* readThought(context, signs, options, frame.close, frame.open)
    return true
  }
  source.rewind(start)
  return false
}

/** Tries the ways into a call this mark offers; false, with nothing said and nothing read, when it is none. */
function* readCandidates(
  context: Context,
  options: AnswerOptions,
  literal: string,
  entries: readonly Entry[],
): Step<boolean> {
  const { source, transcript } = context
  const possible = entries.filter((entry) => transcript.lineStart || !entry.faint)
  if (possible.length === 0 || source.isWeary) return false
  const start = source.keep()
  source.at += literal.length
  const fit = yield* fitting(source, possible)
  const suspicious = fit.length > 0 && isSuspicious(context, options, literal)
  for (const entry of fit) {
    if (suspicious) transcript.hold()
    if (entry.bare === true) source.rewind(start)
    try {
      yield* readCalls(context, entry, start)
      if (suspicious) settleEcho(context, options, start)
      source.letGo()
      return true
    } catch (thrown) {
      if (thrown !== refuted) throw thrown
      if (suspicious) transcript.drop()
      source.rewind(start)
      source.at += literal.length
    }
  }
  if (source.ended && fit.length > 0) context.wasOpen ||= !context.endedWell
  source.rewind(start)
  return false
}

/** Whether a mark stands in the request too, so that what follows it must be compared with it. */
function isSuspicious({ transcript }: Context, options: AnswerOptions, literal: string): boolean {
  return !transcript.holding && options.echo?.(literal) === true
}

/** A call that stands word for word in the request was repeated, not made. */
function settleEcho(context: Context, options: AnswerOptions, start: number): void {
  const { source, transcript } = context
  const raw = source.since(start)
  if (options.echo?.(raw.trim()) !== true) {
    transcript.release()
    context.stopAfterFirst()
    return
  }
  transcript.drop()
  transcript.note('echo')
  transcript.text(raw)
}

/**
 * Reads thoughts up to their closer. A call's mark inside may be a thought about calling, or the closer was forgotten:
 * only the end of the answer tells, so what follows it waits for that.
 */
function* readThought(
  context: Context,
  signs: Signs,
  options: AnswerOptions,
  closers: readonly string[],
  stops: readonly string[] = [],
): Step<void> {
  const { source, transcript } = context
  const starts = [...new Set([...closers, ...stops, ...signs.calls.root.next.keys()].map(firstChar))].join('')
  let calls = false
  const ended = yield* readUntil(
    source,
    starts,
    function* () {
      if (yield* takeAny(source, closers)) return true
      for (const stop of stops) if (yield* stands(source, stop)) return true
      calls = !transcript.holding && (yield* matchMark(source, signs.calls)) !== undefined
      return calls
    },
    (text) => transcript.thought(text),
  )
  if (ended && calls) yield* readDoubtful(context, signs, options, closers)
  transcript.endThought()
  yield* skipSpace(source)
}

function firstChar(literal: string | number): string {
  return typeof literal === 'number' ? String.fromCharCode(literal) : literal.charAt(0)
}

/** From a call's mark inside a thought on: all thought if the thought is closed later, else calls, if any can be read. */
function* readDoubtful(context: Context, signs: Signs, options: AnswerOptions, closers: readonly string[]): Step<void> {
  const { source, transcript } = context
  const start = source.keep()
  const starts = [...new Set(closers.map(firstChar))].join('')
  let thought = ''
  const closed = yield* readUntil(
    source,
    starts,
    function* () {
      return (yield* takeAny(source, closers)) !== undefined
    },
    (text) => void (thought += text),
  )
  if (closed) {
    transcript.thought(thought)
    source.letGo()
    return
  }
  source.rewind(start)
  transcript.hold()
  yield* readText(context, signs, options)
  if (transcript.completed > 0) {
    transcript.release()
    transcript.note('thought-unclosed')
  } else {
    transcript.drop()
    transcript.thought(thought)
  }
}

/** Code: a fence that holds nothing but calls is calls; all else between backticks is text, marks and all. */
function* readCode(context: Context, signs: Signs, options: AnswerOptions): Step<void> {
  const { source, transcript } = context
  const start = source.keep()
  let ticks = 0
  while ((yield* peek(source)) === backtick) {
    ticks++
    source.at++
  }
  const fence = '`'.repeat(ticks)
  if (ticks < 3 || !transcript.lineStart) {
    transcript.text(fence)
    source.letGo()
    return yield* readUntilCloses(context, ticks, false)
  }
  if (yield* readFencedCalls(context, signs, options, fence)) {
    source.letGo()
    return
  }
  source.rewind(start)
  source.letGo()
  source.at += ticks
  transcript.text(fence)
  yield* readUntilCloses(context, ticks, true)
}

function* readFencedCalls(context: Context, signs: Signs, options: AnswerOptions, fence: string): Step<boolean> {
  const { source, transcript } = context
  for (let length = 0; ; length++) {
    const code = yield* peek(source)
    if (code === -1 || code === backtick || length > 64) return false
    source.at++
    if (code === 10) break
  }
  transcript.hold()
  try {
    for (let any = false; ; any = true) {
      yield* skipSpace(source)
      if (any && (yield* take(source, fence))) {
        transcript.release()
        transcript.note('fence-removed')
        context.stopAfterFirst()
        return true
      }
      const match = yield* matchMark(source, signs.calls)
      const entries = (match?.values ?? []).flatMap((sign) => (sign.kind === 'call' ? [sign.entry] : []))
      const before = transcript.completed
      const read = match !== undefined && (yield* readFenced(context, options, match.literal, entries))
      if (!read || transcript.completed === before) break
    }
  } catch (thrown) {
    if (thrown !== refuted) throw thrown
  }
  transcript.drop()
  return false
}

function* readFenced(
  context: Context,
  options: AnswerOptions,
  literal: string,
  entries: readonly Entry[],
): Step<boolean> {
  const { source } = context
  if (options.echo?.(literal) === true) return false
  const start = source.keep()
  source.at += literal.length
  const [entry] = yield* fitting(source, entries)
  if (entry === undefined) return false
  if (entry.bare === true) source.rewind(start)
  yield* readCalls(context, entry, start)
  return true
}

/** Text up to the backticks that end the code: a fence at the start of a line, inline code before the line's end. */
function* readUntilCloses(context: Context, ticks: number, isFence: boolean): Step<void> {
  const { source, transcript } = context
  yield* readUntil(
    source,
    isFence ? '`' : '`\n',
    function* () {
      if (source.text.charCodeAt(source.at) === 10) return true
      if (isFence && !transcript.lineStart) return false
      let run = 0
      for (;;) {
        while (source.text.charCodeAt(source.at + run) === backtick) run++
        if (source.at + run < source.text.length || source.ended) break
        yield
      }
      const closes = isFence ? run >= ticks : run === ticks
      if (!closes) {
        transcript.text(source.text.slice(source.at, source.at + run - 1))
        source.at += run - 1
        return false
      }
      transcript.text(source.text.slice(source.at, source.at + run))
      source.at += run
      return true
    },
    (text) => transcript.text(text),
  )
}
