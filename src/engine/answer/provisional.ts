import type { Context, Reading } from '../context.ts'
import { isFitting } from '../forms/members.ts'
import { callOpenersOf, closersOf } from '../marks/closers.ts'
import { matchMark } from '../marks/marks.ts'
import { waysOf } from '../marks/signs.ts'
import { skipSpace, standsAny, take } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import { attempt, look } from '../text/running.ts'
import type { Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import { readFence, readsCall } from './code.ts'
import { readMarked } from './entering.ts'

/**
 * Reads calls that only the end of the answer makes calls: in a fence, in faint marks after words, without marks, or after
 * one that could not be read, which may quote them. With anything but further calls behind them they were an example, and
 * stay text; so they do where they are quoted, whatever follows. False, with nothing said and nothing read, when there are none.
 */
export function* readProvisional(reading: Reading, read: () => Step<boolean>, isQuoted = false): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  const start = source.mark()
  const { lineStart } = transcript
  const isFirst = !transcript.hasSpoken && transcript.completed === 0
  transcript.hold()
  try {
    const { completed } = transcript
    const isRead = yield* attempt(source, read)
    if (isRead !== true) {
      transcript.drop()
      return false
    }
    const isCall = transcript.completed > completed
    // Words after bare JSON explain it, if nothing stands before.
    const isJson = isFirst && context.trust === 'unmarked' && bareJson.test(source.since(start))
    const isSure = isJson && transcript.heldCalls.every((call) => isCalled(context, call))
    const isHalf = context.isBroken && context.isUnfit
    if (
      isCall &&
      !isQuoted &&
      !isHalf &&
      (isSure || (yield* isFollowedByCalls(reading, lineStart && context.trust === 'firm')))
    ) {
      transcript.trace?.waited(start)
      context.release()
      return true
    }
    transcript.trace?.refuse(isCall ? 'example' : 'unreadable', start)
    transcript.drop()
    // Read again from further on, it may be over although words follow.
    const isLast = source.isOver && !(isCall && (isQuoted || source.hasWordsAhead))
    if (isLast) context.giveUp()
    else if (isCall) transcript.note('example')
    transcript.text(source.since(start))
    return true
  } finally {
    source.release()
  }
}

const bareJson = /^\s*(?:[`~]{3,}\w*\s*)?(?:\[\s*)?\{/

function isCalled(context: Context, { name, json }: { readonly name: string; readonly json: string }): boolean {
  return context.names.has(name) && isFitting(context.nodeOf(name), json)
}

/** Whether nothing but white space and further calls follows. Reads calls that are provisional too; firm ones stay. */
function* isFollowedByCalls(reading: Reading, isOnLine: boolean): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  for (;;) {
    if (!transcript.afterCall) return false
    const from = source.position
    if ((yield* skipSpace(source)) === -1) return context.endedWell || context.isBroken
    if (yield* standsAny(source, context.resultsOf(transcript.heldCalls.at(-1)?.name ?? ''))) return true
    const { literal, values } = (yield* matchMark(source, reading.signs.marks)) ?? { literal: '', values: [] }
    if (values.some((sign) => sign.kind === 'stray')) {
      yield* take(source, literal)
      transcript.aside(literal, 'end')
      continue
    }
    // After one that could not be read no mark proves anything. Words may follow one that has its lines for itself.
    if (context.isBroken) {
      const isApart = isOnLine && source.since(from).includes('\n')
      if (yield* readsCall(reading)) continue
      return isApart && (yield* look(source, () => goesOnInWords(context)))
    }
    const { firm, line, faint, unmarked } = waysOf(values)
    if (yield* readMarked(context, literal, [...line, ...faint, ...unmarked])) continue
    if ((yield* attempt(source, () => readFence(reading))) === true) continue
    return firm.length > 0 || values.some(({ kind }) => kind === 'header')
  }
}

/** What ends a string and what stands around it. */
const stringEnds = ['"', "'"].flatMap((quote) => ['}', ']', ')'].map((bracket) => quote + bracket))

/** Whether what follows, up to the next call, holds nothing that would close a value with this call in it. */
function* goesOnInWords({ source, spoken, transcript }: Context): Step<boolean> {
  if (spoken === undefined) return false
  const { arguments: spec } = spoken.grammar
  const closers = [...closersOf(spoken, transcript.heldCalls.at(-1)?.name ?? ''), ...stringEnds]
  if (spec.as === 'tagged' && !spec.close.includes('{')) closers.push(spec.close)
  const openers = callOpenersOf(spoken)
  return !(yield* readUntil(source, [...closers, ...openers], ignore)) || (yield* standsAny(source, openers))
}
