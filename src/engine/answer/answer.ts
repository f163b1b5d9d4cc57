import { type Context, part, type Reading, turned } from '../context.ts'
import { type Entry, fittingAfter } from '../marks/entries.ts'
import { endsInMark, type Match, matchMark, mayBegin } from '../marks/marks.ts'
import { partnerOf, type Sign, type Signs, waysOf } from '../marks/signs.ts'
import { otherRoles, turnOpeners } from '../marks/vocabulary.ts'
import type { ReaderOptions } from '../options.ts'
import { peek, skipSpace, standsAny, take, takeAny } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import { apart, look, more, need, no } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import type { Transcript } from '../transcript.ts'
import { backtick, readCode, readFence, tilde } from './code.ts'
import { readMarked } from './entering.ts'
import { readProvisional } from './provisional.ts'
import { readThought } from './thoughts.ts'

/** Reads a whole answer: prose, thoughts, calls, and code that only quotes calls. */
export function* readAnswer(context: Context, signs: Signs, startsIn: ReaderOptions['startsIn']): Step<void> {
  const { taught } = context
  const reading: Reading = {
    context,
    signs,
    readText: () => readText(reading),
  }
  // Where messages are in use, the next one ends a thought that nobody saw begin.
  if (startsIn === 'reasoning') yield* readThought(reading, signs.thoughtCloses, taught?.grammar.frame?.open)
  else if (taught?.grammar.frame?.startsInHeader === true) {
    const header = { kind: 'header', dialect: taught, frame: taught.grammar.frame } as const
    yield* part(context.forms.messages)(reading, header, '', false)
  }
  yield* readText(reading)
}

function* readText(reading: Reading): Step<void> {
  const { context } = reading
  const { source, transcript } = context
  const { marks } = reading.signs
  const { starts } = marks
  const fast = (chunk: string): boolean => {
    const from = transcript.isApart ? 0 : -1
    for (let i = 0; i < chunk.length; i++)
      if (starts[chunk.charCodeAt(i)] !== 0 && mayBegin(marks, chunk, i, from)) return false
    transcript.text(chunk)
    return true
  }
  for (;;) {
    const { text } = source
    const from = transcript.isApart ? source.at : -1
    let at = source.at
    while (at < text.length && (starts[text.charCodeAt(at)] === 0 || !mayBegin(marks, text, at, from))) at++
    const run = text.slice(source.at, at)
    source.at = at
    transcript.text(run)
    if (at === text.length) {
      if (!(yield* more(source, fast))) return
      continue
    }
    const match = yield* matchMark(source, marks)
    if (transcript.afterCall && endsInMark(source, marks)) context.giveUp()
    if (match !== undefined && !isOfPair(reading.context, match)) {
      const { literal, values } = match
      if (yield* apart(source, readSign(reading, literal, values))) continue
      if (mayGoWithCall(reading.context, values)) {
        yield* take(source, literal)
        transcript.aside(literal, 'call')
        continue
      }
    }
    const code = source.text.charCodeAt(source.at)
    const isCode = code === backtick || (code === tilde && transcript.lineStart)
    if (isCode && transcript.lineStart) {
      const fenced = readProvisional(reading, () => readFence(reading))
      if (yield* apart(source, fenced)) continue
    }
    if (isCode) yield* readCode(reading, code)
    else transcript.text(source.text.charAt(source.at++))
  }
}

/** `<s>old</s>` is a pair of words, not a word and the end of a turn: whether this mark is one of such. */
function isOfPair({ source, transcript }: Context, { literal, values }: Match<Sign>): boolean {
  const isOpener = values.every(({ kind }) => kind === 'partner')
  if (isOpener) transcript.shown.add(literal)
  const isCloser = !transcript.afterCall && transcript.shown.delete(partnerOf(literal) ?? '')
  if (isCloser) transcript.trace?.refuse('no-call', source.position, source.position + literal.length)
  return isOpener || isCloser
}

/** Acts on a mark; false when it means nothing here and is text. */
function* readSign(reading: Reading, literal: string, signs: readonly Sign[]): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  const { firm, line, faint, unmarked } = waysOf(signs)
  const { isQuoted } = transcript
  const isDoubtful = isQuoted || context.isBroken
  const mayEnd = !transcript.holding && signs.some(({ kind }) => kind === 'stray')
  if (mayEnd && (yield* look(source, () => endsTurn(source, literal)))) {
    transcript.note('mark_dropped', literal)
    throw turned
  }
  const mayBeResult = !transcript.holding && transcript.lineStart && transcript.completed > 0
  if (mayBeResult && (yield* standsAny(source, context.resultsOf('')))) {
    transcript.note('invented_result')
    throw turned
  }
  const provisionally = (entries: readonly Entry[]): Step<boolean> =>
    entries.length === 0 ? no : readProvisional(reading, () => readMarked(context, literal, entries), isQuoted)
  if (yield* isDoubtful ? provisionally(firm) : readMarked(context, literal, firm)) return true
  if (transcript.lineStart || transcript.pauses) {
    // A faint mark opens calls where nothing was said before it. After words it may be an example: the end will tell.
    const isFirst = !transcript.hasSpoken || transcript.afterCall
    if (yield* readMarked(context, literal, isFirst ? [...line, ...faint] : line)) return true
    // Who has marked a call does not forget the marks of the next.
    const others = [...(isFirst ? [] : faint), ...(transcript.completed === 0 ? unmarked : [])]
    if (yield* provisionally(others)) return true
  } else if (transcript.isInSentence && transcript.completed === 0) {
    // JSON inside a sentence that ends with it is a call if it fits a tool, whatever was taught.
    const json = [...faint, ...unmarked].flatMap((entry): Entry[] =>
      entry.at === 'list' ? [{ ...entry, trust: 'unmarked' }] : [],
    )
    if (yield* provisionally(json)) return true
  }
  if (context.shownMessage !== undefined && context.taught?.grammar.frame?.close.includes(literal) === true) {
    yield* take(source, literal)
    transcript.text(literal)
    context.shownMessage = transcript.said
    return true
  }
  for (const sign of signs) {
    const isThought = sign.kind === 'thought' && beginsThought(transcript, literal, sign.isOwn)
    if (isThought && (!transcript.hasSpoken || (yield* isClosed(context, literal, sign.close)))) {
      yield* take(source, literal)
      transcript.dropLeadingSpace()
      yield* readThought(reading, sign.close)
      return true
    }
    if (sign.kind === 'header') {
      const message = (wantsCall: boolean) => part(context.forms.messages)(reading, sign, literal, wantsCall)
      if (isDoubtful && (yield* readProvisional(reading, () => message(true), isQuoted))) return true
      if (!isQuoted && (yield* message(false))) return true
    }
    const isOwn = sign.kind === 'stray' && (sign.isOwn || context.message?.close.includes(literal) === true)
    const isStray =
      sign.kind === 'stray'
        ? transcript.afterCall || isOwn || sign.isControl
        : sign.kind === 'thought-end' && (yield* isOnItsOwn(context, literal))
    if (!isStray || (yield* mayOpen(source, literal, signs))) continue
    yield* take(source, literal)
    context.message = undefined
    // After a call that does not stand in the text, only marks of the dialect in use surely go with it.
    const { afterCall } = transcript
    if (sign.kind === 'stray' && (afterCall ? !isOwn && transcript.calls === 0 : transcript.hasSpoken || !sign.leads))
      transcript.aside(literal, isOwn || afterCall ? 'end' : 'thought')
    else transcript.note('mark_dropped', literal)
    return true
  }
  if (mayGoWithCall(context, signs)) return false
  context.isBroken ||= signs.some(({ kind }) => kind === 'argument')
  const isMark = signs.some((sign) => sign.kind !== 'call' || sign.entry.trust === 'firm')
  if (isMark) transcript.trace?.refuse('no-call', source.position, source.position + literal.length)
  return false
}

/** Whether another turn begins behind this mark: the model goes on with the conversation, and nothing more is its answer. */
function* endsTurn(source: Source, literal: string): Step<boolean> {
  if (!(yield* take(source, literal))) return false
  const from = source.position
  yield* skipSpace(source)
  const isLine = source.since(from).includes('\n')
  const isOpened = (yield* takeAny(source, turnOpeners)) !== undefined
  if (!(isOpened || isLine) || (yield* takeAny(source, otherRoles)) === undefined) return false
  // A service may leave the opener out: then the role has a line of its own.
  return (isOpened ? /[\s<]/ : /[\r\n]/).test(String.fromCharCode(yield* peek(source)))
}

/** A model's own token begins one right after a sentence, too: writing about it, anybody would leave a blank. */
function beginsThought({ lineStart, endsSentence, hasSpoken }: Transcript, literal: string, isOwn: boolean): boolean {
  return isOwn ? lineStart || (endsSentence && /^<\||^\[[A-Z]/.test(literal)) : !hasSpoken
}

/** Whether a thought that begins after words has its end: an answer does not stop in one. */
function* isClosed(context: Context, literal: string, closers: readonly string[]): Step<boolean> {
  const { source, missing } = context
  if (closers.every((closer) => missing.has(closer))) return false
  const isEnded = yield* look(source, function* () {
    yield* take(source, literal)
    return yield* readUntil(source, closers, ignore)
  })
  if (isEnded || !context.endedWell) return true
  for (const closer of closers) missing.add(closer)
  return false
}

/** Whether a mark that opened no call may yet turn out to stand around one of another dialect, and go with it. */
function mayGoWithCall({ transcript }: Context, signs: readonly Sign[]): boolean {
  return transcript.lineStart && waysOf(signs).firm.length > 0
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
  yield* need(source, literal.length + 1)
  const next = source.text.charAt(source.at + literal.length)
  return next === '' || next === '\n' || next === '\r'
}
