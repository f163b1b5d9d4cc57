import type { Context } from './context.ts'
import { matchMark } from './marks.ts'
import type { Signs } from './signs.ts'
import { type Step, skipSpace, stands, takeAny } from './source.ts'
import { readUntil } from './value.ts'

export interface ThoughtMarks {
  /** End the thought, and are taken. */
  readonly closers: readonly string[]
  /** End it too, and stay: they begin something else. */
  readonly stops?: readonly string[]
}

/**
 * Reads thoughts up to their closer. A call's mark inside may be a thought about calling, or the closer was forgotten:
 * only the end of the answer tells, so what follows it waits for that.
 */
export function* readThought(
  context: Context,
  signs: Signs,
  marks: ThoughtMarks,
  readRest: () => Step<void>,
): Step<void> {
  const { source, transcript } = context
  const { closers, stops = [] } = marks
  const starts = [...new Set([...closers, ...stops, ...signs.calls.root.next.keys()].map(firstChar))].join('')
  let calls = false
  const ended = yield* readUntil(
    source,
    starts,
    function* () {
      if (yield* takeAny(source, closers)) return true
      for (const stop of stops) if (yield* stands(source, stop)) return true
      calls = !transcript.holding && (yield* matchMark(source, signs.calls)) !== undefined
      return calls
    },
    (text) => transcript.thought(text),
  )
  if (ended && calls) yield* readDoubtful(context, closers, readRest)
  transcript.endThought()
  yield* skipSpace(source)
}

function firstChar(literal: string | number): string {
  return typeof literal === 'number' ? String.fromCharCode(literal) : literal.charAt(0)
}

/** From a call's mark inside a thought on: all thought if the thought is closed later, else calls, if any can be read. */
function* readDoubtful(context: Context, closers: readonly string[], readRest: () => Step<void>): Step<void> {
  const { source, transcript } = context
  const start = source.keep()
  const starts = [...new Set(closers.map(firstChar))].join('')
  let thought = ''
  const closed = yield* readUntil(
    source,
    starts,
    function* () {
      return (yield* takeAny(source, closers)) !== undefined
    },
    (text) => void (thought += text),
  )
  if (closed) {
    transcript.thought(thought)
    source.letGo()
    return
  }
  source.rewind(start)
  const { completed } = transcript
  transcript.hold()
  yield* readRest()
  if (transcript.completed > completed && !context.hasQuoted) {
    transcript.release()
    transcript.note('thought_unclosed')
  } else {
    transcript.drop()
    transcript.thought(thought)
  }
}
