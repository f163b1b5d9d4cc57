import type { Reading } from '../context.ts'
import { matchMark, mayBegin } from '../marks/marks.ts'
import { mayStandAt, peek, skipSpace, stands, takeAny } from '../text/literals.ts'
import type { Step } from '../text/source.ts'
import { passing, readUntil } from '../text/value.ts'

/**
 * Reads thoughts up to their closer, which is taken, or to a stop, which begins something else. A call's mark inside may be
 * a thought about calling, or the closer was forgotten: only the end of the answer tells, so what follows it waits for that.
 */
export function* readThought(reading: Reading, closers: readonly string[], stops: readonly string[] = []): Step<void> {
  const { context, signs } = reading
  const { source, transcript } = context
  const ends = [...closers, ...stops]
  let calls = false
  let last = 0
  const ended = yield* readUntil(
    source,
    firstsOf(ends, signs.calls.root.next.keys()),
    function* () {
      const closer = yield* takeAny(source, closers)
      // One in code or between quotes is thought about.
      const isQuoted = closer !== undefined && (last === 96 || last === 34) && (yield* peek(source)) === last
      if (isQuoted) transcript.thought(closer)
      if (closer !== undefined) return !isQuoted
      for (const stop of stops) if (yield* stands(source, stop)) return true
      calls = !transcript.holding && (yield* matchMark(source, signs.calls)) !== undefined
      return calls
    },
    (text) => {
      last = text.charCodeAt(text.length - 1)
      transcript.thought(text)
    },
    (text, at) => (mayBegin(signs.calls, text, at, at) || ends.some((end) => mayStandAt(text, at, end)) ? 0 : 1),
  )
  if (ended && calls) yield* readDoubtful(reading, closers)
  yield* skipSpace(source)
  transcript.endThought()
}

function firstsOf(literals: readonly string[], more: Iterable<number> = []): string {
  const codes = [...literals.map((literal) => literal.charCodeAt(0)), ...more]
  return String.fromCharCode(...new Set(codes))
}

/** From a call's mark inside a thought on: all thought if the thought is closed later, else calls, if any can be read. */
function* readDoubtful({ context, readText }: Reading, closers: readonly string[]): Step<void> {
  const { source, transcript } = context
  const start = source.mark()
  let end = start
  const closed = yield* readUntil(
    source,
    firstsOf(closers),
    function* () {
      end = source.position
      return (yield* takeAny(source, closers)) !== undefined
    },
    () => undefined,
    passing(closers),
  )
  if (!closed) {
    end = source.position
    source.goTo(start)
    const { completed } = transcript
    transcript.hold()
    yield* readText()
    if (transcript.completed > completed && context.ending === 'stop') {
      context.release('thought_unclosed')
      source.release()
      return
    }
    transcript.drop()
  }
  const after = source.position
  source.goTo(end)
  if (closed) transcript.trace?.refuse('thought', start)
  transcript.thought(source.since(start))
  source.goTo(after)
  source.release()
}
