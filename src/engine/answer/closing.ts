import type { Call, Context } from '../context.ts'
import type { Outcome } from '../forms/json/json.ts'
import { callOpenersOf, outerClosersOf } from '../marks/closers.ts'
import { literalsOf, printTemplate } from '../marks/template.ts'
import { endsInside, peek, skipSpace, standsAny, take, takeRun } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import { look, yes } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'
import { passing, readUntil } from '../text/value.ts'

/** Ends the open call, or leaves it unfinished when it was cut off or cannot be read on. */
export function* finishCall(call: Call, outcome: Outcome): Step<void> {
  const { context, dialect, start } = call
  if (outcome !== 'complete') return failCall(context, outcome, start)
  if (!(yield* endsHere(call))) return failCall(context, 'stuck', start)
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

/**
 * Whether arguments end where they seem to. Where something else stands before the call's closer, a string in them had quotes
 * that were not escaped, and was closed too early.
 */
export function endsHere({ context: { source }, dialect, closers }: Call): Step<boolean> {
  const { as } = dialect.grammar.arguments
  if (as === 'tagged' || as === 'yaml') return yes
  return look(source, function* () {
    for (let code = yield* skipSpace(source); endings.includes(code); code = yield* skipSpace(source)) source.at++
    if (as === 'keywords') return ![34, 39].includes(yield* peek(source))
    const openers = callOpenersOf(dialect)
    if (source.at >= source.text.length || (yield* standsAny(source, [...closers, ...openers, '{', '```']))) return true
    if (closers.length === 0) return !/["{}[\]]/.test((yield* takeRun(source, longestLine, isNewline)) ?? '')
    let isCloser = false
    const firsts = [...new Set([...closers, ...openers].map((mark) => mark.charAt(0)))].join('')
    yield* readUntil(
      source,
      firsts,
      function* () {
        isCloser = yield* standsAny(source, closers)
        return isCloser || (yield* standsAny(source, openers))
      },
      ignore,
      passing([...closers, ...openers]),
    )
    return !isCloser
  })
}

/** `}`, `]`, `)`, `,` and `;`. */
const endings = [125, 93, 41, 44, 59]
const longestLine = 1024
const isNewline = (code: number): boolean => code === 10

export function failCall(context: Context, outcome: Outcome, start: number): void {
  const { source, transcript } = context
  context.shownMessage = 'open'
  const isTold = transcript.failCall(source.since(start), outcome === 'cut' ? 'cut-off' : 'unreadable')
  if (!isTold) context.giveUp()
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
