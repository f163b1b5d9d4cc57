import {
  charsOf,
  mayStandAt,
  peek,
  skipSpace,
  stands,
  standsAfterSpace,
  standsAny,
  take,
  takeAny,
  takeRow,
  takeRun,
} from '../../text/literals.ts'
import { ignore } from '../../text/pen.ts'
import { attempt, look, need } from '../../text/running.ts'
import { isSpace, type Source, type Step } from '../../text/source.ts'
import { readUntil } from '../../text/value.ts'
import type { TaggedMarks, Value, ValueReading } from './marks.ts'

/**
 * Takes a closer, white space and what belongs to its opener allowed inside its tag: `</ room>`, `</parameter=room>`. Before
 * the next tag it may lack its end: `</room <level>`.
 */
export function* takeCloser(source: Source, close: string): Step<boolean> {
  if (yield* take(source, close)) return true
  const isSpaced =
    mayStandAt(source.text, source.at, close.slice(0, -1)) || isSpace(source.text.charCodeAt(source.at + 2))
  if (!isSpaced || !bareCloser.test(close) || !(yield* stands(source, '</'))) return false
  return (yield* attempt(source, () => takeSpaced(source, close.slice(2, -1)))) === true
}

function* takeSpaced(source: Source, name: string): Step<boolean> {
  if (!(yield* takeRow(source, ['</', name]))) return false
  const next = yield* peek(source)
  const inside = next === 61 || isSpace(next) ? yield* takeRun(source, mostInside, isOutside) : ''
  return (yield* take(source, '>')) || (inside?.trim() === '' && (yield* peek(source)) === 60)
}

const mostInside = 64
const isOutside = charsOf(/[<>]/)

const bareCloser = /^<\/[\w.-]+>$/

/** Whether what stands after a value's closer may stand there. Where any tag may, one that closes something else may not. */
export function* isFollowed(reading: ValueReading): Step<boolean> {
  const { marks, context } = reading.value
  const { source } = context
  const isNext = yield* standsAfterSpace(source, marks.afterValue, true)
  const isClosing = isNext && marks.openers.includes('<') && (yield* standsAfterSpace(source, ['</'], false))
  const isEnd = isClosing && (yield* look(source, () => takeEnd(source, marks.closers)))
  if (!isNext || (isClosing && !isEnd)) return yield* look(source, () => isDoubled(reading))
  return !(yield* look(source, () => isInCode(reading)))
}

/** Takes what ends a call, if it does, white space before it included. */
function* takeEnd(source: Source, closers: readonly string[]): Step<boolean> {
  yield* skipSpace(source)
  for (const closer of closers) if (yield* takeCloser(source, closer)) return true
  return false
}

/** Where another call begins in a text, with arguments, that does not end in it; -1 where none does. */
export function startOfCall({ pairs, openers }: TaggedMarks, text: string): number {
  for (const [closer, starts] of pairs) {
    for (const start of starts) {
      const at = text.lastIndexOf(start)
      const rest = text.slice(at + start.length)
      const hasArgument = openers.some((opener) => (opener === '<' ? /^\s*<\w/.test(rest) : rest.includes(opener)))
      if (at >= 0 && hasArgument && !rest.includes(closer)) return at
    }
  }
  return -1
}

/** What stands in the line before the closer that was just taken, as far as the value reaches. */
function lineBefore({ value: { context, close }, start }: ValueReading): string {
  const { source } = context
  const end = source.position - close.length
  const before = source.since(Math.max(start, end - mostOfLine), end)
  return before.slice(before.lastIndexOf('\n') + 1)
}

const mostOfLine = 128
/** After this a closer stands in the middle of a line, as a word would. */
const beforeWord = /[^\s>][ \t]$/
/** After this it may stand in a string, or in an aside. */
const beforeQuoted = /["'`(]/

/** Whether the closer stands here a second time, and then what may follow it. */
function* isDoubled(reading: ValueReading): Step<boolean> {
  const { value } = reading
  const { source } = value.context
  if (beforeWord.test(lineBefore(reading))) return false
  yield* skipSpace(source)
  return (yield* take(source, value.close)) && (yield* standsAfterSpace(source, value.marks.surelyAfterValue, true))
}

/**
 * Whether closers of the call stand here, and in a string or a sentence: `"</parameter></function>"`. That is asked only
 * where they begin like one: no other call waits for what comes after it.
 */
function* isInCode(reading: ValueReading): Step<boolean> {
  const { value } = reading
  const { source } = value.context
  const before = lineBefore(reading)
  const isSpoken = beforeWord.test(before)
  if (!isSpoken && !beforeQuoted.test(before)) return false
  if (!(yield* takeClosers(value))) return false
  yield* need(source, 2)
  const next = source.text.slice(source.at, source.at + 2)
  return /^["'`.,;:)\\]/.test(next) || (isSpoken && /^ [\p{L}\p{N}]/u.test(next))
}

/** Takes the call's closers that stand here; whether one did. No call has more than a few, whatever it stands in. */
function* takeClosers({ context: { source }, marks }: Value): Step<boolean> {
  const start = source.position
  const takeOne = function* (): Step<string | undefined> {
    yield* skipSpace(source)
    return yield* takeAny(source, marks.closers)
  }
  for (let left = 4; left > 0 && (yield* attempt(source, takeOne)) !== undefined; left--);
  return source.position > start
}

/** Whether a call ends with the closer before this: only others follow, up to the next call or the end of the answer. */
export function endsCall(value: Value): Step<boolean> {
  const { source } = value.context
  return look(source, function* () {
    yield* takeClosers(value)
    return (yield* skipSpace(source)) === -1 || (yield* standsAny(source, value.marks.nextCall))
  })
}

/**
 * Looks for a closer of the value that is followed as it should be, after one at `from` that was not, or for one of `outer`
 * ones, which stays. What stands between belongs to the value then. `cut`: the answer was cut off, so it could have come
 * yet.
 */
export function* findCloser(
  reading: ValueReading,
  from: number,
  outer: readonly string[],
): Step<'found' | 'outer' | 'none' | 'cut'> {
  const { value, push } = reading
  const { source, pen, missing } = value.context
  const sought = [value.close, ...outer].join('\n')
  const none = (): 'none' | 'cut' => (value.context.endedWell ? 'none' : 'cut')
  if (missing.has(sought)) return none()
  const here = source.position
  let end = here
  let isOuter = false
  // Said as a cast, because it is set inside the generator, where the compiler does not look.
  let isMerged = false as boolean
  const found = yield* readUntil(
    source,
    value.close.charAt(0),
    function* () {
      end = source.position
      if ((yield* take(source, value.close)) && (yield* isFollowed(reading))) {
        isMerged = startOfCall(value.marks, source.since(from)) >= 0
        return true
      }
      source.goTo(end)
      for (const closer of outer) {
        if (!(yield* take(source, closer))) continue
        isOuter = yield* endsCall(value)
        source.goTo(end)
        break
      }
      return isOuter
    },
    ignore,
    undefined,
    value.context.forms.repetition?.(source),
  )
  // What closes a value of the next call says nothing of this one.
  if (found && !isMerged) {
    push(source.since(from, end))
    pen.note('closer_quoted', value.close)
    return isOuter ? 'outer' : 'found'
  }
  source.goTo(here)
  if (!found) missing.add(sought)
  return found ? 'none' : none()
}
