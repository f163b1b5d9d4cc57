import { openerOf } from '../../marks/template.ts'
import { skipSpace, standsAfterSpace, take } from '../../text/literals.ts'
import type { Step } from '../../text/source.ts'
import { createDecoder, createLayout, readUntil } from '../../text/value.ts'
import type { Outcome } from '../json/json.ts'
import { startOfCall, takeCloser } from './closers.ts'
import { cdataClose, cdataOpen, type End, endsValue, passPlain } from './ends.ts'
import type { Value, ValueReading } from './marks.ts'
import { Quotation } from './quotation.ts'

/** The text of a value up to and with its closer, layout newlines stripped, CDATA unwrapped. */
export function* readRaw(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  if (yield* standsAfterSpace(source, [cdataOpen], false)) return yield* readCdata(value, write)
  const decoded = value.entities ? createDecoder(write).push : write
  const layout = createLayout(decoded, value.indent, value.marks.spec.layout === 'inline')
  const end = yield* readToEnd(value, layout.push)
  if (end === 'closer') layout.flush()
  return outcomeOf(end)
}

function outcomeOf(end: End): Outcome {
  return end === 'none' ? 'cut' : end === 'merged' ? 'stuck' : 'complete'
}

/** CDATA is how a value that contains the dialect's own closers is written, here as in XML. */
function* readCdata(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  yield* skipSpace(source)
  yield* take(source, cdataOpen)
  // One that follows another at once goes on with its text.
  const ends = function* (): Step<boolean> {
    return (yield* take(source, cdataClose)) && !(yield* take(source, cdataOpen))
  }
  if (!(yield* readUntil(source, ']', ends, write))) return 'cut'
  yield* skipSpace(source)
  let isAfter = true
  const end = yield* readToEnd(value, (text) => {
    if (isAfter) write(cdataClose)
    isAfter = false
    write(text)
  })
  return outcomeOf(end)
}

/** Answers in which so many marks were opened and never closed quote nothing. */
const mostMisquoted = 3

function* readToEnd(value: Value, push: (text: string) => void): Step<End> {
  const { context, close } = value
  const { source } = context
  const isAnyTag = openerOf(value.marks.spec.open).length === 1
  const start = source.mark()
  const reading: ValueReading = {
    value,
    quotation: new Quotation(context.misquoted < mostMisquoted, isAnyTag ? '' : close.slice(2, -1)),
    push,
    isTagged: close.includes('</'),
    start,
    passed: undefined,
  }
  // Said as a cast, because it is set inside the generator, where the compiler does not look.
  let end = 'none' as End
  try {
    yield* readUntil(
      source,
      close.charAt(0),
      function* () {
        end = yield* endsValue(reading)
        return end !== 'none'
      },
      (text) => {
        if (reading.passed === undefined) push(text)
      },
      (text, at) => passPlain(reading, text, at),
      context.forms.repetition?.(source, {
        state: () => `${reading.passed} ${context.missing.size}`,
        counts: reading.quotation.opened,
      }),
    )
    if (end === 'missing' && hasTaken(reading)) return 'merged'
    const wasQuoted = end === 'closer' || reading.passed === undefined
    if (wasQuoted || (end === 'none' && !context.endedWell)) return end
    context.misquoted++
    const passed = reading.passed ?? start
    const next = startOfCall(value.marks, source.since(start, passed))
    // What seemed quoted was not: the value ended at the first of the closers that were passed over, unless that is the next call's.
    source.goTo(next < 0 ? passed : start + next)
    if (next >= 0) return 'merged'
    yield* takeCloser(source, close)
    return 'closer'
  } finally {
    source.release()
  }
}

/** Whether a value that lacks its closer has tags in it of an argument that was to follow: its text is not all of it its own. */
function hasTaken({ value: { marks, seen }, quotation }: ValueReading): boolean {
  return marks.node.properties.some((key) => !seen.has(key) && quotation.opened.has(key))
}
