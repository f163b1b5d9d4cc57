import { type Dialect, type Frame, hasFaintMarks } from '../../dialects/dialect.ts'
import type { Context, Reading } from '../context.ts'
import type { Header } from '../marks/signs.ts'
import { take } from '../text/literals.ts'
import { attempt } from '../text/running.ts'
import type { Step } from '../text/source.ts'
import { readCall } from './calls.ts'
import { tries } from './entering.ts'
import { type CallHeader, classify, readHeader } from './frames.ts'
import { readSectionIn } from './sections.ts'
import { readThought } from './thoughts.ts'

/** Reads a message's header and, for calls and thoughts, its body; false, with nothing read, when it is no header. */
export function* readMessage(
  reading: Reading,
  { dialect, frame }: Header,
  literal: string,
  wantsCall: boolean,
): Step<boolean> {
  const { context } = reading
  const { source, transcript } = context
  if (context.inMessage) return false
  const start = source.mark()
  try {
    yield* take(source, literal)
    const header = frame.body.includes(literal) ? classify(frame, literal) : yield* readHeader(source, frame)
    // Only a call, or the message after one that was closed, may stand after words.
    const isOpener = frame.open.includes(literal) || transcript.afterCall
    const isClosed = context.isShown === 'closed' && context.shownTo === transcript.said
    const isNext = transcript.afterCall || frame.close.includes(transcript.lastAside) || isClosed
    const isPlaced =
      !wantsCall && (!transcript.hasSpoken || (isNext && isOpener && dialect.name === context.taught?.name))
    if (header === undefined || (header.kind !== 'call' && !isPlaced)) {
      source.giveUp(start)
      return false
    }
    if (header.kind === 'call') {
      const body = source.position
      const read = yield* attempt(source, () => readMessageCall(context, dialect, header, start))
      if (read === true) return true
      // Of a message that was not taught, somebody else may know more.
      if (wantsCall || dialect.name !== context.taught?.name) {
        source.giveUp(start)
        return false
      }
      context.giveUp()
      // A message to a tool that holds no call is shown with its header: without it nobody would know what it is.
      source.goTo(body)
      transcript.text(source.since(start))
      context.isShown = 'open'
      return true
    }
    context.isShown = undefined
    transcript.dropAsides()
    transcript.dropLeadingSpace()
    context.inMessage = header.kind === 'text' && frame.closes === true
    if (header.kind === 'text') return true
  } finally {
    source.release()
  }
  yield* readThought(reading, { closers: frame.close, stops: stopsOf(frame) })
  return true
}

function readMessageCall(context: Context, dialect: Dialect, header: CallHeader, start: number): Step<boolean> {
  context.trust = hasFaintMarks(dialect.grammar) || !header.isSure ? 'faint' : 'firm'
  return tries(context, start, '', false, () =>
    dialect.grammar.section === undefined
      ? readCall(context, { dialect, tokens: [], name: header.name }, start)
      : readSectionIn(context, dialect, start),
  )
}

/** What ends a thought that was not closed: the next message, or a mark that begins a call by itself. */
function stopsOf(frame: Frame): readonly string[] {
  return [...frame.open, ...frame.body.filter((mark) => classify(frame, mark)?.kind === 'call')]
}
