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
  if (!closed)
    context.pen.note('closer_missing', printTemplate(dialect.grammar.call.close[0] ?? '', { name: call.name }))
  context.endCall()
}

export function failCall(context: Context, outcome: Outcome, start: number): void {
  const { source, transcript } = context
  context.shownMessage = 'open'
  const isTold = transcript.failCall(source.since(start), outcome === 'cut' ? 'cut-off' : 'unreadable')
  if (!isTold) context.giveUp()
  context.isBroken = true
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
  // White space and closing brackets too many.
  while ((yield* skipSpace(source)) === 125) source.at++
  const own = call.close.map((close) => printTemplate(close, { name }))
  if (yield* takeClose(source, own)) return true
  const outer = outerClosersOf(dialect.grammar)
  if (call.close.includes('') || (yield* standsAny(source, outer))) return true
  takeHalf(source, [...closers, ...outer])
  return false
}

/** Takes what closes a call or a section in one of its spellings, of which any part may be missing. */
export function* takeClose(source: Source, templates: readonly string[]): Step<boolean> {
  let taken = false
  for (const template of templates) {
    const literals = literalsOf(template)
    for (const [i, literal] of literals.entries()) {
      if (taken) yield* skipSpace(source)
      if (!(yield* take(source, literal))) continue
      taken = true
      if (i === literals.length - 1) return true
    }
  }
  return taken
}

/** Half a closer at the very end is no text. */
export function takeHalf(source: Source, closers: readonly string[]): boolean {
  const isHalf = endsInside(source, closers)
  if (isHalf) source.at = source.text.length
  return isHalf
}
