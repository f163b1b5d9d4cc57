import type { Dialect, Frame } from '../dialects/dialect.ts'
import { readCall, readCalls, readSectionIn } from './calls.ts'
import { readCode } from './code.ts'
import type { Context } from './context.ts'
import { type Entry, fittingAfter, skipControl } from './entries.ts'
import { type CallHeader, classify, readHeader } from './frames.ts'
import { mayBegin } from './marks.ts'
import { readProvisional } from './provisional.ts'
import type { Reading } from './reading.ts'
import { Refusals } from './refusals.ts'
import { matchSign, type Sign, type Signs, waysOf } from './signs.ts'
import { attempt, look, moreOf, refuted, type Source, type Step, skipSpace, take } from './source.ts'
import { readThought } from './thoughts.ts'

export interface AnswerOptions {
  readonly startsIn: 'text' | 'reasoning'
  readonly taught: Dialect | undefined
}

/** Reads a whole answer: prose, thoughts, calls, and code that only quotes calls. */
export function* readAnswer(context: Context, signs: Signs, { startsIn, taught }: AnswerOptions): Step<void> {
  context.taught = taught
  const reading: Reading = {
    context,
    signs,
    readText: () => readText(reading),
    readMarked: (literal, entries) => readMarked(reading, literal, entries),
    readHeader: (sign, literal) => readMessage(reading, sign, literal, true),
  }
  if (startsIn === 'reasoning') yield* readThought(reading, { closers: signs.thoughtCloses })
  else if (taught?.grammar.frame?.startsInHeader === true)
    yield* readMessage(reading, { dialect: taught, frame: taught.grammar.frame }, '', false)
  yield* readText(reading)
}

function* readText(reading: Reading): Step<void> {
  const { source, transcript } = reading.context
  const { starts } = reading.signs.marks
  const { marks, names } = reading.signs
  const isStart = (text: string, at: number, from: number): boolean =>
    mayBegin(marks, text, at, from) || (names.starts[text.charCodeAt(at)] === 1 && mayBegin(names, text, at, from))
  const refusals = new Refusals()
  const fast = (chunk: string): boolean => {
    for (let i = 0; i < chunk.length; i++) if (starts[chunk.charCodeAt(i)] !== 0 && isStart(chunk, i, 0)) return false
    transcript.text(chunk)
    return true
  }
  for (;;) {
    const { text } = source
    let at = source.at
    while (at < text.length && (starts[text.charCodeAt(at)] === 0 || !isStart(text, at, source.at))) at++
    const run = text.slice(source.at, at)
    source.at = at
    transcript.text(run)
    if (at === text.length) {
      if (!(yield* moreOf(source, fast))) return
      continue
    }
    const match = yield* matchSign(source, reading.signs)
    if (match !== undefined) {
      const state = stateOf(reading, match.literal)
      if (transcript.trace !== undefined || !(yield* refusals.stand(source, state))) {
        const outer = source.reach
        source.reach = source.position
        if (yield* readSign(reading, match.literal, match.values)) continue
        refusals.add(source, state, source.reach)
        source.reach = Math.max(outer, source.reach)
      }
    }
    if (source.text.charCodeAt(source.at) === backtick) yield* readCode(reading)
    else {
      source.at++
      transcript.text(source.text.charAt(source.at - 1))
    }
  }
}

const backtick = 96

/** What else than the text decides what a mark means. */
function stateOf({ context }: Reading, literal: string): string {
  const { transcript, inMessage, isShown } = context
  const { lineStart, pauses, hasSpoken, afterCall, hasAside, completed } = transcript
  const place = (lineStart ? 1 : 0) | (pauses ? 2 : 0) | (hasSpoken ? 4 : 0) | (afterCall ? 8 : 0)
  const state =
    (hasAside ? 16 : 0) |
    (completed > 0 ? 32 : 0) |
    (inMessage ? 64 : 0) |
    (isShown === undefined ? 0 : isShown === 'open' ? 128 : 256)
  return `${literal}${place | state}`
}

/** Acts on a mark; false when it means nothing here and is text. */
function* readSign(reading: Reading, literal: string, signs: readonly Sign[]): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  const { firm, line, faint, unmarked } = waysOf(signs)
  if (yield* readMarked(reading, literal, firm)) return true
  if (transcript.lineStart || transcript.pauses) {
    // A faint mark opens calls where nothing was said before it. After words it may be an example: the end will tell.
    const isFirst = !transcript.hasSpoken || transcript.afterCall
    if (yield* readMarked(reading, literal, isFirst ? [...line, ...faint] : line)) return true
    // Who has marked a call does not forget the marks of the next.
    const others = [...(isFirst ? [] : faint), ...(transcript.completed === 0 ? unmarked : [])]
    if (others.length > 0 && (yield* readProvisional(reading, () => readMarked(reading, literal, others)))) return true
  }
  if (context.isShown !== undefined && context.taught?.grammar.frame?.close.includes(literal) === true) {
    yield* take(source, literal)
    transcript.text(literal)
    context.isShown = 'closed'
    context.shownTo = transcript.said
    return true
  }
  for (const sign of signs) {
    if (sign.kind === 'thought' && (sign.isOwn ? transcript.lineStart : !transcript.hasSpoken)) {
      yield* take(source, literal)
      transcript.dropLeadingSpace()
      yield* readThought(reading, { closers: sign.close })
      return true
    }
    if (sign.kind === 'header' && (yield* readMessage(reading, sign, literal, false))) return true
    const isStray = sign.kind === 'stray' || (sign.kind === 'thought-end' && (yield* isOnItsOwn(context, literal)))
    if (!isStray || (sign.kind === 'stray' && !mayStray(context, sign)) || (yield* mayOpen(source, literal, signs)))
      continue
    yield* take(source, literal)
    context.inMessage = false
    if (sign.kind === 'stray' && !transcript.afterCall && (transcript.hasSpoken || !sign.isOwn))
      transcript.aside(literal, sign.isOwn)
    else transcript.note('mark_dropped', literal)
    return true
  }
  const isMark = signs.some((sign) => sign.kind !== 'call' || sign.entry.trust === 'firm')
  if (isMark) transcript.trace?.refuse('no-call', source.position, source.position + literal.length)
  return false
}

/** Whether a mark may be left out here: next to a call, and where its dialect was taught at the ends of the answer. */
function mayStray({ transcript }: Context, { isOwn, isControl }: Extract<Sign, { kind: 'stray' }>): boolean {
  return transcript.afterCall || isOwn || isControl
}

/** Whether a mark that has other meanings, too, begins what looks like a call and is none: all of it is text. */
function* mayOpen(source: Source, literal: string, signs: readonly Sign[]): Step<boolean> {
  const { firm } = waysOf(signs)
  return firm.length > 0 && (yield* fittingAfter(source, literal, firm)).length > 0
}

/** Whether the end of a thought stands where one would: first of all, after a call, or alone on its line. */
function* isOnItsOwn({ source, transcript }: Context, literal: string): Step<boolean> {
  if (!transcript.hasSpoken || transcript.afterCall) return true
  if (!transcript.lineStart) return false
  while (source.text.length - source.at <= literal.length && !source.ended) yield
  const next = source.text.charAt(source.at + literal.length)
  return next === '' || next === '\n' || next === '\r'
}

/** Reads calls by these ways into them; false, with nothing said and nothing read, when none goes through. */
function* readMarked(reading: Reading, literal: string, entries: readonly Entry[]): Step<boolean> {
  const { source, transcript } = reading.context
  const possible = entries.filter((entry) => entry.trust === 'firm' || transcript.lineStart || entry.inline === true)
  if (possible.length === 0) return false
  const start = source.position
  transcript.trace?.goTo(start)
  const fit = yield* fittingAfter(source, literal, possible)
  if (fit.length > 0) return yield* enter(reading, literal, start, fit)
  const isFirm = possible.some((entry) => entry.trust === 'firm')
  if (isFirm && source.isOver && (yield* isLast(source, literal)))
    reading.context.wasOpen ||= !reading.context.endedWell
  const last = isFirm ? yield* look(source, () => lastRepeated(source, literal)) : start
  if (last === start) return false
  // The mark, and then the mark again: the model began anew.
  const read = yield* attempt(source, function* () {
    source.goTo(last)
    transcript.trace?.note('mark_dropped')
    const again = yield* fittingAfter(source, literal, possible)
    return again.length > 0 && (yield* enter(reading, literal, start, again))
  })
  if (read === true) transcript.note('mark_dropped', literal)
  else yield* sayUpTo(reading.context, last)
  return true
}

/** Whether the answer ends with this mark. */
function* isLast(source: Source, literal: string): Step<boolean> {
  return yield* look(source, function* () {
    return (yield* take(source, literal)) && (yield* skipSpace(source)) === -1
  })
}

/** Where the last of a row of the same mark stands. */
function* lastRepeated(source: Source, literal: string): Step<number> {
  for (let last = source.position; ; ) {
    yield* skipSpace(source)
    const here = source.position
    if (!(yield* take(source, literal))) return last
    last = here
  }
}

function* sayUpTo({ source, transcript }: Context, end: number): Step<void> {
  const start = source.mark()
  while (source.position < end) {
    if (source.at < source.text.length) source.at = Math.min(source.text.length, source.at + end - source.position)
    else yield
  }
  transcript.text(source.since(start))
  source.release()
}

/** Reads calls after their mark by the first way in that goes through. */
function* enter(reading: Reading, literal: string, start: number, entries: readonly Entry[]): Step<boolean> {
  const { context } = reading
  const { source } = context
  for (const entry of entries) {
    const mustFit = entry.trust === 'unmarked'
    const mark = entry.bare === true ? '' : literal
    const read = yield* attempt(source, () =>
      tries(context, start, mark, mustFit, () => readCalls(context, entry, start)),
    )
    if (read === true) return true
  }
  if (source.isOver) context.wasOpen ||= !context.endedWell
  return false
}

/** Reads calls after their mark; those that must fit their tools are held back until it is known. */
function* tries(
  context: Context,
  start: number,
  mark: string,
  mustFit: boolean,
  read: () => Step<boolean>,
): Step<boolean> {
  const { source, transcript } = context
  const { limit } = context
  context.limit = source.limit(start)
  if (mustFit) transcript.hold()
  context.isUnfit = false
  try {
    if (mark !== '' && (yield* take(source, mark))) yield* skipControl(source)
    yield* read()
  } catch (thrown) {
    if (thrown === refuted && context.trust === 'firm') transcript.trace?.refuse('unreadable', start)
    context.dropQuoted()
    if (mustFit) transcript.drop()
    throw thrown
  } finally {
    source.unlimit(context.limit)
    context.limit = limit
  }
  transcript.trace?.close()
  context.settleQuoted(start)
  if (!mustFit) return true
  const isFitting = !context.isUnfit && transcript.heldCalls.every(({ name, json }) => context.isFitting(name, json))
  if (isFitting) context.release('call_unmarked')
  else {
    transcript.trace?.refuse('unfit', start)
    transcript.drop()
  }
  // What was read in vain is read again only as long as that may be.
  return isFitting || !source.mayGoOn(start)
}

/** Reads a message's header and, for calls and thoughts, its body; false, with nothing read, when it is no header. */
function* readMessage(
  reading: Reading,
  { dialect, frame }: { readonly dialect: Dialect; readonly frame: Frame },
  literal: string,
  wantsCall: boolean,
): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  if (context.inMessage) return false
  const start = source.mark()
  try {
    yield* take(source, literal)
    const header = frame.body.includes(literal) ? classify(frame, literal) : yield* readHeader(source, frame)
    // Only a call, or the message after one that was closed, may stand after words.
    const isOpener = frame.open.includes(literal) || transcript.afterCall
    const isClosed = context.isShown === 'closed' && context.shownTo === transcript.said
    const isNext = transcript.afterCall || frame.close.includes(transcript.lastAside) || isClosed
    const isPlaced =
      !wantsCall && (!transcript.hasSpoken || (isNext && isOpener && dialect.name === context.taught?.name))
    if (header === undefined || (header.kind !== 'call' && !isPlaced)) {
      source.giveUp(start)
      return false
    }
    if (header.kind === 'call') {
      const body = source.position
      const read = yield* attempt(source, () => readMessageCall(context, dialect, header, start))
      if (read === true) return true
      // Of a message that was not taught, somebody else may know more.
      if (wantsCall || dialect.name !== context.taught?.name) {
        source.giveUp(start)
        return false
      }
      if (source.isOver) context.wasOpen ||= !context.endedWell
      // A message to a tool that holds no call is shown with its header: without it nobody would know what it is.
      source.goTo(body)
      transcript.text(source.since(start))
      context.isShown = 'open'
      return true
    }
    context.isShown = undefined
    transcript.dropAsides()
    transcript.dropLeadingSpace()
    context.inMessage = header.kind === 'text' && frame.closes === true
    if (header.kind === 'text') return true
  } finally {
    source.release()
  }
  yield* readThought(reading, { closers: frame.close, stops: stopsOf(frame) })
  return true
}

function readMessageCall(context: Context, dialect: Dialect, header: CallHeader, start: number): Step<boolean> {
  context.trust = dialect.grammar.faint === true || !header.isSure ? 'faint' : 'firm'
  return tries(context, start, '', false, () =>
    dialect.grammar.section === undefined
      ? readCall(context, dialect, [], start, header.name)
      : readSectionIn(context, dialect, start),
  )
}

/** What ends a thought that was not closed: the next message, or a mark that begins a call by itself. */
function stopsOf(frame: Frame): readonly string[] {
  return [...frame.open, ...frame.body.filter((mark) => classify(frame, mark)?.kind === 'call')]
}
