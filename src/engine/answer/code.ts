import { part, type Reading } from '../context.ts'
import { hasMarkAt, matchMark } from '../marks/marks.ts'
import { waysOf } from '../marks/signs.ts'
import { peek, skipSpace, take, takeRun } from '../text/literals.ts'
import type { Source, Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import { readMarked } from './entering.ts'

/** What fences are made of: their characters' codes. Backticks quote inside a line, too. */
type Tick = 96 | 126

export const backtick = 96
export const tilde = 126

const maxTicks = 256
const maxInfo = 64

function takeTicks(source: Source, tick: Tick): Step<string | undefined> {
  return takeRun(source, maxTicks, (code) => code !== tick)
}

/** Reads a fence with nothing but calls in it, and takes its end. */
export function* readFence(reading: Reading): Step<boolean> {
  const { source } = reading.context
  const limit = source.limit(source.position)
  try {
    return yield* readFenced(reading, (yield* peek(source)) === tilde ? tilde : backtick)
  } finally {
    source.unlimit(limit)
  }
}

function* readFenced(reading: Reading, tick: Tick): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  const fence = yield* takeTicks(source, tick)
  if (fence === undefined || fence.length < 3) return false
  const info = yield* takeRun(source, maxInfo, (code) => code === 10 || code === tick)
  if (info === undefined || !(yield* take(source, '\n'))) return false
  transcript.note('fence_removed')
  const starts: number[] = []
  for (;;) {
    transcript.lineStart = true
    // A fence without an end goes on to the end of the answer.
    const isLast = (yield* skipSpace(source)) === -1 && context.endedWell
    if (starts.length > 0 && (isLast || (yield* take(source, fence)))) return true
    const { position } = source
    // Calls that led to no end of one fence lead to none of another, so they are read but once.
    const isEndless = (context.endless[tick].get(position) ?? Infinity) <= fence.length
    if (isEndless || !(yield* readsCall(reading))) break
    starts.push(position)
  }
  for (const start of starts) context.endless[tick].set(start, fence.length)
  return false
}

/** Reads calls where every way of calling counts, messages to a tool included. */
export function* readsCall(reading: Reading): Step<boolean> {
  const { context } = reading
  const match = yield* matchMark(context.source, reading.signs.marks)
  if (match === undefined) return false
  const { literal, values } = match
  const before = context.transcript.completed
  let isRead = false
  for (const sign of values)
    if (sign.kind === 'header') isRead ||= yield* part(context.forms.messages)(reading, sign, literal, true)
  const { firm, line, faint, unmarked } = waysOf(values)
  if (!isRead) yield* readMarked(context, literal, [...firm, ...line, ...faint, ...unmarked])
  return context.transcript.completed > before
}

/** Code that is no calls: what is in a fence or between backticks is text, marks and all. */
export function* readCode(reading: Reading, tick: Tick): Step<void> {
  const { source, transcript } = reading.context
  const start = source.position
  const { lineStart } = transcript
  const ticks = (yield* takeTicks(source, tick)) ?? ''
  transcript.text(ticks)
  const isFence = lineStart && ticks.length >= 3
  if (isFence || (ticks !== '' && tick === backtick)) yield* readUntilCloses(reading, ticks, isFence)
  transcript.trace?.quote(start, (text, at) => hasMarkAt(reading.signs.calls, text, at, () => true))
}

/** Text up to what ends the code: a fence at the start of a line, inline code before the line's end. */
function* readUntilCloses({ context }: Reading, ticks: string, isFence: boolean): Step<void> {
  const { source, transcript } = context
  const tick = ticks.charCodeAt(0)
  const ends = function* (): Step<boolean> {
    if (source.text.charCodeAt(source.at) === 10) return true
    if (isFence && !transcript.lineStart) return false
    const run = (yield* takeRun(source, Infinity, (code) => code !== tick)) ?? ''
    transcript.text(run)
    return isFence ? run.length >= ticks.length : run.length === ticks.length
  }
  yield* readUntil(source, isFence ? [ticks.charAt(0)] : ['`', '\n'], (text) => transcript.text(text), ends)
}
