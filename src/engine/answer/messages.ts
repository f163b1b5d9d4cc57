import { type Dialect, type Frame, hasFaintMarks } from '../../dialects/dialect.ts'
import type { Context, Reading } from '../context.ts'
import type { Header } from '../marks/signs.ts'
import { peek, standsAny, take, takeAny, takeRun } from '../text/literals.ts'
import { attempt } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'
import { readCall } from './calls.ts'
import { tries } from './entering.ts'
import { readSectionIn } from './sections.ts'
import { readThought } from './thoughts.ts'

const maxHeader = 256
const maxOpeners = 3

/** What a message's header says it is. */
type Kind = CallHeader | { readonly kind: 'thought' | 'text' }

/** Where it is not sure, it is a call only of a tool that was declared. */
type CallHeader = { readonly kind: 'call'; readonly name: string | undefined; readonly isSure: boolean }

/** Reads a message's header and, for calls and thoughts, its body; false, with nothing read, when it is no header. */
export function* readMessage(reading: Reading, sign: Header, literal: string, wantsCall: boolean): Step<boolean> {
  const { context } = reading
  const { source } = context
  const { frame } = sign
  if (context.message?.closes === true) return false
  const kind = yield* attempt(source, () => readBeginning(context, sign, literal, wantsCall))
  if (kind === 'thought') yield* readThought(reading, frame.close, stopsOf(frame))
  return kind !== undefined
}

/** Reads a header and the call it announces; undefined when none stands here that counts. */
function* readBeginning(
  context: Context,
  { dialect, frame }: Header,
  literal: string,
  wantsCall: boolean,
): Step<Kind['kind'] | undefined> {
  const { source, transcript } = context
  const start = source.position
  const isTaught = dialect.name === context.taught?.name
  yield* take(source, literal)
  const header = frame.body.includes(literal) ? classify(frame, literal) : yield* readHeader(source, frame)
  if (header === undefined && source.at >= source.text.length) context.giveUp()
  if (header?.kind === 'call') {
    const body = source.position
    if ((yield* attempt(source, () => readMessageCall(context, dialect, header, start))) === true) return 'call'
    // Of a message that was not taught, somebody else may know more.
    if (wantsCall || !isTaught) return undefined
    context.giveUp()
    // A message to a tool that holds no call is shown with its header: without it nobody would know what it is.
    source.goTo(body)
    transcript.text(source.since(start))
    context.shownMessage = 'open'
    return 'call'
  }
  // Only a call, or the message after one that was closed, may stand after words.
  const isOpener = frame.open.includes(literal) || transcript.afterCall
  const isClosed = context.shownMessage === transcript.said || frame.close.includes(transcript.lastAside)
  const isNext = transcript.afterCall || isClosed
  if (header === undefined || wantsCall || (transcript.hasSpoken && !(isNext && isOpener && isTaught))) return undefined
  context.shownMessage = undefined
  transcript.dropAsides()
  transcript.dropLeadingSpace()
  context.message = header.kind === 'text' ? frame : undefined
  return header.kind
}

function readMessageCall(context: Context, dialect: Dialect, header: CallHeader, start: number): Step<boolean> {
  context.trust = hasFaintMarks(dialect.grammar) || !header.isSure ? 'faint' : 'firm'
  const way = { dialect, tokens: [], name: header.name }
  const read = dialect.grammar.section === undefined ? readCall : readSectionIn
  return tries(context, start, '', false, () => read(context, way, start))
}

/** What ends a thought that was not closed: the next message, or a mark that begins a call by itself. */
function stopsOf(frame: Frame): readonly string[] {
  return [...frame.open, ...frame.body.filter((mark) => classify(frame, mark)?.kind === 'call')]
}

/** Reads a header up to and with the mark that ends it; undefined when what stands here is none. */
export function* readHeader(source: Source, frame: Frame): Step<Kind | undefined> {
  const firsts = [...frame.body, ...frame.open].map((mark) => mark.charCodeAt(0))
  let openers = 0
  for (let header = ''; header.length <= maxHeader; ) {
    const run = yield* takeRun(source, maxHeader, (code) => firsts.includes(code))
    if (run === undefined || (yield* peek(source)) === -1) return undefined
    header += run
    const mark = yield* takeAny(source, frame.body)
    if (mark !== undefined) return classify(frame, header + mark)
    // A header may have been begun anew, but not over and over.
    if ((yield* standsAny(source, frame.open)) && ++openers > maxOpeners) return undefined
    header += source.text.charAt(source.at)
    source.at++
  }
  return undefined
}

export function classify(frame: Frame, header: string): Kind | undefined {
  // Where the message was begun anew, the last beginning counts.
  const last = header.slice(header.lastIndexOf(frame.open[0] ?? '') + 1)
  const sure = frame.call.exec(last) ?? frame.call.exec(header)
  const call = sure ?? frame.knownCall?.exec(last) ?? frame.knownCall?.exec(header)
  if (call) return { kind: 'call', name: call[1], isSure: sure !== null }
  if (frame.thought.test(header)) return { kind: 'thought' }
  return frame.text.test(header) ? { kind: 'text' } : undefined
}
