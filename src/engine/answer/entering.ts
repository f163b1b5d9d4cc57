import { type Context, part } from '../context.ts'
import { isFitting } from '../forms/members.ts'
import { type Entry, fittingAfter, skipControl } from '../marks/entries.ts'
import { skipSpace, stands, take } from '../text/literals.ts'
import { attempt, look } from '../text/running.ts'
import { refuted, type Source, type Step } from '../text/source.ts'
import { readCall } from './calls.ts'

/** Reads calls by these ways into them; false, with nothing said and nothing read, when none goes through. */
export function* readMarked(context: Context, literal: string, entries: readonly Entry[]): Step<boolean> {
  const { source, transcript } = context
  const possible = entries.filter((entry) => entry.trust === 'firm' || transcript.lineStart || entry.inline === true)
  if (possible.length === 0) return false
  const start = source.position
  if (context.isFull) {
    transcript.trace?.refuse('too-many', start, start + literal.length)
    return false
  }
  transcript.trace?.goTo(start)
  if (yield* enter(context, literal, start, possible)) return true
  const isFirm = possible.some((entry) => entry.trust === 'firm')
  if (isFirm && source.isOver && (yield* look(source, () => takeLast(source, literal)))) {
    context.giveUp()
    // The opener, written where the closer should stand.
    const isSpoken = possible.some(({ dialect }) => dialect === context.spoken)
    if (context.endedWell && transcript.afterCall && isSpoken) {
      transcript.note('mark_dropped', literal)
      return yield* take(source, literal)
    }
  }
  return false
}

/** Takes this mark; whether the answer ends with it. */
function* takeLast(source: Source, literal: string): Step<boolean> {
  return (yield* take(source, literal)) && (yield* skipSpace(source)) === -1
}

/** Reads calls after their mark by the first way in that goes through. */
function* enter(context: Context, literal: string, start: number, entries: readonly Entry[]): Step<boolean> {
  const { source } = context
  const fitting = yield* fittingAfter(source, literal, entries)
  for (const entry of fitting) {
    const mustFit = entry.trust === 'unmarked'
    const mark = entry.at === 'list' ? '' : literal
    const read = yield* attempt(source, () =>
      tries(context, start, mark, mustFit, () => readCalls(context, entry, start)),
    )
    if (read === true) return true
  }
  if (fitting.length > 0) context.giveUp()
  const isFirm = fitting.some(({ trust }) => trust === 'firm')
  if (isFirm && !(yield* look(source, () => isRepeated(source, literal)))) context.isBroken = true
  return false
}

/** A mark that follows itself began no call. */
function* isRepeated(source: Source, literal: string): Step<boolean> {
  yield* take(source, literal)
  yield* skipSpace(source)
  return yield* stands(source, literal)
}

/** Reads the calls that an entry's mark announced. */
function readCalls(context: Context, entry: Entry, start: number): Step<boolean> {
  context.trust = entry.trust
  return entry.at === 'call' ? readCall(context, entry, start) : part(context.forms[entry.at])(context, entry, start)
}

/** Reads calls after their mark; those that must fit their tools are held back until it is known. */
export function* tries(
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
  let isRead = false
  try {
    if (mark !== '' && (yield* take(source, mark))) yield* skipControl(source)
    isRead = yield* read()
  } catch (thrown) {
    // Throwing on would cost more than the reading did.
    if (thrown !== refuted) throw thrown
  } finally {
    source.unlimit(context.limit)
    context.limit = limit
  }
  if (!isRead) {
    if (context.trust === 'firm') transcript.trace?.refuse('unreadable', start)
    context.dropQuoted()
    if (mustFit) transcript.drop()
    return false
  }
  transcript.trace?.close()
  context.settleQuoted(start)
  if (!mustFit) return true
  const fits = !context.isUnfit && transcript.heldCalls.every(({ name, json }) => isFitting(context.nodeOf(name), json))
  if (fits) context.release('call_unmarked')
  else {
    transcript.trace?.refuse('unfit', start)
    transcript.drop()
  }
  // What was read in vain is read again only as long as that may be.
  return fits || !source.mayGoOn(start)
}
