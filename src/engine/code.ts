import { readCalls } from './calls.ts'
import { type Context, refuted } from './context.ts'
import { fitting } from './entries.ts'
import { matchMark } from './marks.ts'
import type { Sign, Signs } from './signs.ts'
import { peek, type Step, skipSpace, take } from './source.ts'
import { readUntil } from './value.ts'

const backtick = 96

/** What a fence needs to know of the answer around it. */
export interface Surroundings {
  /** Whether the request has this mark too. */
  isQuoted(literal: string): boolean
  readMessage(header: Header, literal: string): Step<boolean>
}

type Header = Extract<Sign, { kind: 'header' }>

/** Code: a fence that holds nothing but calls is calls; all else between backticks is text, marks and all. */
export function* readCode(context: Context, signs: Signs, surroundings: Surroundings): Step<void> {
  const { source, transcript } = context
  const start = source.keep()
  let ticks = 0
  while ((yield* peek(source)) === backtick) {
    ticks++
    source.at++
  }
  const fence = '`'.repeat(ticks)
  if (ticks < 3 || !transcript.lineStart) {
    transcript.text(fence)
    source.letGo()
    return yield* readUntilCloses(context, ticks, false)
  }
  if (yield* readFencedCalls(context, signs, surroundings, fence)) {
    source.letGo()
    return
  }
  source.rewind(start)
  source.letGo()
  source.at += ticks
  transcript.text(fence)
  yield* readUntilCloses(context, ticks, true)
}

function* readFencedCalls(context: Context, signs: Signs, surroundings: Surroundings, fence: string): Step<boolean> {
  const { source, transcript } = context
  for (let length = 0; ; length++) {
    const code = yield* peek(source)
    if (code === -1 || code === backtick || length > 64) return false
    source.at++
    if (code === 10) break
  }
  const { inMessage } = context
  transcript.hold()
  try {
    for (let any = false; ; any = true) {
      yield* skipSpace(source)
      if (any && (yield* take(source, fence))) {
        if (context.hasQuoted) {
          transcript.drop()
          transcript.note('echo')
          context.inMessage = inMessage
          return false
        }
        context.release('fence_removed')
        return true
      }
      const match = yield* matchMark(source, signs.marks)
      const before = transcript.completed
      const read = match !== undefined && (yield* readFenced(context, surroundings, match.literal, match.values))
      if (!read || transcript.completed === before) break
    }
  } catch (thrown) {
    if (thrown !== refuted) throw thrown
  }
  transcript.drop()
  context.inMessage = inMessage
  return false
}

function* readFenced(
  context: Context,
  { isQuoted, readMessage }: Surroundings,
  literal: string,
  signs: readonly Sign[],
): Step<boolean> {
  const { source } = context
  if (isQuoted(literal)) return false
  const header = signs.find((sign) => sign.kind === 'header')
  if (header !== undefined) return yield* readMessage(header, literal)
  const entries = signs.flatMap((sign) => (sign.kind === 'call' && sign.entry.untagged !== true ? [sign.entry] : []))
  const start = source.keep()
  source.at += literal.length
  const [entry] = yield* fitting(source, entries)
  if (entry === undefined) return false
  if (entry.bare === true) source.rewind(start)
  yield* readCalls(context, entry, start)
  return true
}

/** Text up to the backticks that end the code: a fence at the start of a line, inline code before the line's end. */
function* readUntilCloses(context: Context, ticks: number, isFence: boolean): Step<void> {
  const { source, transcript } = context
  yield* readUntil(
    source,
    isFence ? '`' : '`\n',
    function* () {
      if (source.text.charCodeAt(source.at) === 10) return true
      if (isFence && !transcript.lineStart) return false
      let run = 0
      for (;;) {
        while (source.text.charCodeAt(source.at + run) === backtick) run++
        if (source.at + run < source.text.length || source.ended) break
        yield
      }
      const closes = isFence ? run >= ticks : run === ticks
      if (!closes) {
        transcript.text(source.text.slice(source.at, source.at + run - 1))
        source.at += run - 1
        return false
      }
      transcript.text(source.text.slice(source.at, source.at + run))
      source.at += run
      return true
    },
    (text) => transcript.text(text),
  )
}
