import type { Dialect } from '../../dialects/dialect.ts'
import { type Call, type Context, part } from '../context.ts'
import { skipFence } from '../forms/arguments.ts'
import { readEnvelope } from '../forms/json/envelope.ts'
import type { Outcome } from '../forms/json/json.ts'
import { closersOf } from '../marks/closers.ts'
import type { Way } from '../marks/entries.ts'
import { listKeys } from '../marks/vocabulary.ts'
import { skipSpace, standsAny, take, takeAny } from '../text/literals.ts'
import { attempt, look, no } from '../text/running.ts'
import { nextWord, type Source, type Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import { failCall, finishCall, takeClosers } from './closing.ts'

/** Reads calls that are written as envelopes after their opener. */
export function* readEnvelopeCall(context: Context, { dialect, tokens }: Way, start: number): Step<boolean> {
  if (tokens.length > 0 && (yield* part(context.forms.slots)(context.source, tokens)) === undefined) return false
  return yield* readEnvelopes(context, dialect, start)
}

/** A call or a list of calls, each written as an object with its name and its arguments; false where the first is none. */
export function* readEnvelopes(context: Context, dialect: Dialect, start: number): Step<boolean> {
  const { source } = context
  const isFenced = yield* skipFence(source)
  const call: Call = { context, dialect, name: '', start, isFenced, closers: closersOf(dialect, '') }
  const wrapped = yield* takeListKey(source)
  const isList = (yield* skipSpace(source)) === 91
  if (isList) source.at++
  for (let isFirst = true, from = start; ; isFirst = false, from = source.position) {
    let code = yield* skipSpace(source)
    for (; code === 44 && (isList || !isFirst); code = yield* skipSpace(source)) source.at++
    if (code !== 123) {
      if (isFirst) return false
      if (code === 93) source.at++
      if (wrapped && (yield* skipSpace(source)) === 125) source.at++
      yield* takeClosers(call)
      return true
    }
    // After others, one that may not be called refutes only itself.
    const read = (): Step<Outcome | 'none'> => readEnvelope(call)
    const outcome = (yield* isFirst ? read() : attempt(source, read)) ?? 'none'
    if (outcome === 'none') {
      if (isFirst) return false
      // The calls before it were made; from this one on the list is text.
      context.giveUp()
      source.goTo(from)
      return true
    }
    // There may be several in one wrapper, without the brackets of a list.
    const mayGoOn = isList || !isFirst || (outcome === 'complete' && dialect.grammar.call.close.length > 0)
    if (!mayGoOn || (isFirst && !isList && !(yield* look(source, () => isAnother(source))))) {
      yield* finishCall(call, outcome)
      return true
    }
    if (outcome === 'complete') context.endCall()
    else {
      failCall(context, outcome === 'cut' ? 'cut' : 'stuck', from)
      if (outcome === 'cut' || !(yield* skipToNext(call))) return true
    }
  }
}

/** Whether another object follows, with a comma or without. */
function* isAnother(source: Source): Step<boolean> {
  if ((yield* skipSpace(source)) === 44) source.at++
  return (yield* skipSpace(source)) === 123
}

/** Goes on to the next object of a list after one that cannot be read; what stands between is text. */
function* skipToNext({ context: { source, transcript }, closers }: Call): Step<boolean> {
  let tail = ''
  let isNext = false
  const push = (text: string): void => {
    transcript.text(text)
    tail = (tail + text).slice(-64)
  }
  yield* readUntil(source, ['{', ...closers], push, function* () {
    isNext = source.text.charAt(source.at) === '{' && /\}\s*,?\s*$/.test(tail)
    return isNext || (yield* standsAny(source, closers))
  })
  return isNext
}

/** Takes `{"tool_calls":` where a list follows it. */
function takeListKey(source: Source): Step<boolean> {
  if (!source.passSpace()) return takeObjectToList(source)
  const { text, at } = source
  const open = nextWord(text, at + 1)
  // Most objects begin with another key.
  return /^"[^cft]/.test(text.slice(open, open + 2)) ? no : takeObjectToList(source)
}

function* takeObjectToList(source: Source): Step<boolean> {
  const isTaken = yield* attempt(source, function* () {
    if (!(yield* take(source, '{')) || (yield* skipSpace(source)) !== 34) return false
    if ((yield* takeAny(source, listKeys)) === undefined || (yield* skipSpace(source)) !== 58) return false
    source.at++
    return (yield* skipSpace(source)) === 91
  })
  return isTaken === true
}
