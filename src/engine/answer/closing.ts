import type { Call, Context } from '../context.ts'
import type { Outcome } from '../forms/json/json.ts'
import { outerClosersOf } from '../marks/closers.ts'
import { literalsOf, printTemplate } from '../marks/template.ts'
import { endsInside, skipSpace, standsAny, take } from '../text/literals.ts'
import type { Source, Step } from '../text/source.ts'

/** Ends the open call, or leaves it unfinished when it was cut off or cannot be read on. */
export function* finishCall(call: Call, outcome: Outcome): Step<void> {
  const { context, dialect, start } = call
  if (outcome !== 'complete') return failCall(context, outcome, start)
  const closed = yield* takeClosers(call)
  const { source } = context
  const wasCut = !closed && source.at >= source.text.length && source.ended && !context.endedWell
  // JSON says itself where it ends; elements do not: more of them could have come.
  if (wasCut && dialect.grammar.arguments.as === 'tagged') return failCall(context, 'cut', start)
  context.isUnfit ||= !closed
  if (!closed) context.pen.note('closer_missing', dialect.grammar.call.close[0])
  context.endCall()
}

export function failCall(context: Context, outcome: Outcome, start: number): void {
  const { source, transcript } = context
  context.isShown = 'open'
  const isTold = transcript.failCall(source.since(start), outcome === 'cut' ? 'cut-off' : 'unreadable')
  if (!isTold && source.isOver) context.wasOpen ||= !context.endedWell
}

/** Takes what closes a call; true when nothing is missing. A closer further out stands for the ones before it. */
export function* takeClosers({ context, dialect, name, isFenced, closers }: Call): Step<boolean> {
  const { source } = context
  const { call } = dialect.grammar
  if (isFenced) {
    yield* skipSpace(source)
    yield* take(source, '```')
  }
  if (call.close.length === 0) return true
  yield* skipStray(source)
  let taken = false
  for (const close of call.close) {
    const literals = literalsOf(printTemplate(close, { name }))
    for (const [i, literal] of literals.entries()) {
      if (taken) yield* skipSpace(source)
      if (!(yield* take(source, literal))) continue
      taken = true
      if (i === literals.length - 1) return true
    }
  }
  if (taken) return true
  const outer = outerClosersOf(dialect.grammar)
  if (call.close.includes('') || (yield* standsAny(source, outer))) return true
  // Half a closer at the very end is no text.
  if (endsInside(source, [...closers, ...outer])) source.at = source.text.length
  return false
}

/** White space and closing brackets too many. */
function* skipStray(source: Source): Step<void> {
  for (;;) {
    const code = yield* skipSpace(source)
    if (code !== 125) return
    source.at++
  }
}
