import type { Reading } from '../context.ts'
import { firstsOf, matchMark } from '../marks/marks.ts'
import { peek, skipSpace, standsAny, takeAny } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import type { Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'

/**
 * Reads thoughts up to their closer, which is taken, or to a stop, which begins something else. A call's mark inside may be
 * a thought about calling, or the closer was forgotten: only the end of the answer tells, so what follows it waits for that.
 */
export function* readThought(reading: Reading, closers: readonly string[], stops: readonly string[] = []): Step<void> {
  const { context, signs } = reading
  const { source, transcript } = context
  let calls = false
  let last = 0
  const push = (text: string): void => {
    last = text.charCodeAt(text.length - 1)
    transcript.thought(text)
  }
  const ended = yield* readUntil(source, [...closers, ...stops, ...firstsOf(signs.calls)], push, function* () {
    const closer = yield* takeAny(source, closers)
    // One in code or between quotes is thought about.
    const isQuoted = closer !== undefined && (last === 96 || last === 34) && (yield* peek(source)) === last
    if (isQuoted) transcript.thought(closer)
    if (closer !== undefined) return !isQuoted
    if (yield* standsAny(source, stops)) return true
    calls = !transcript.holding && (yield* matchMark(source, signs.calls)) !== undefined
    return calls
  })
  if (ended && calls) yield* readDoubtful(reading, closers)
  yield* skipSpace(source)
  transcript.endThought()
}

/** From a call's mark inside a thought on: all thought if the thought is closed later, else calls, if any can be read. */
function* readDoubtful({ context, readText }: Reading, closers: readonly string[]): Step<void> {
  const { source, transcript } = context
  const start = source.mark()
  const closed = yield* readUntil(source, closers, ignore)
  const end = source.position
  if (closed) yield* takeAny(source, closers)
  else {
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
