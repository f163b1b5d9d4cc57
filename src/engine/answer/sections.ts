import type { Dialect } from '../../dialects/dialect.ts'
import type { Context } from '../context.ts'
import type { Way } from '../marks/entries.ts'
import { literalsOf, openerOf, readTokens, tokensAfterOpener } from '../marks/template.ts'
import { skipSpace, standsAny, take, takeRun } from '../text/literals.ts'
import { attempt, more } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'
import { readCall } from './calls.ts'
import { takeClose, takeHalf } from './closing.ts'
import { readEnvelopes } from './envelopes.ts'

/** Reads a section after its opener. */
export function* readMarkedSection(context: Context, way: Way, start: number): Step<boolean> {
  const body = context.source.position
  if ((yield* readTokens(context.source, way.tokens)) === undefined) return false
  const { completed } = context.transcript
  if (!(yield* readSection(context, way, start))) return false
  if (context.transcript.completed > completed) yield* skipRepetition(context, body)
  return true
}

const maxRepetition = 4096

/** A section that is written a second time without its opener, word for word, was not meant twice. */
function* skipRepetition({ source, pen }: Context, body: number): Step<void> {
  if (source.position - body > maxRepetition) return
  const raw = source.since(body)
  if (raw.trim() === '') return
  if ((yield* attempt(source, () => takeAgain(source, raw))) === true) pen.note('echo')
}

function* takeAgain(source: Source, raw: string): Step<boolean> {
  for (let read = 0; read < raw.length; ) {
    if (!(yield* more(source))) return false
    const piece = source.text.slice(source.at, source.at + raw.length - read)
    if (!raw.startsWith(piece, read)) return false
    source.at += piece.length
    read += piece.length
  }
  return true
}

/** A section inside a message that is already known to hold calls. */
export function* readSectionIn(context: Context, way: Way, start: number): Step<boolean> {
  const { source } = context
  yield* skipSpace(source)
  for (const open of way.dialect.grammar.section?.open ?? []) {
    if (yield* take(source, literalsOf(open).at(-1) ?? '')) break
  }
  return yield* readSection(context, way, start)
}

/** Reads the calls of a section, which may have no mark of its own. */
export function* readSection(context: Context, { dialect }: Way, start: number): Step<boolean> {
  const { source, transcript } = context
  const { section } = dialect.grammar
  const mark = source.since(start)
  const openers = (section?.open ?? []).map(openerOf).filter((opener) => opener.length > 1)
  for (let first = true; ; first = false) {
    const from = first ? start : source.position
    let code = yield* skipSpace(source)
    if (!first && (code === 44 || code === 59)) {
      source.at++
      code = yield* skipSpace(source)
    }
    if (code === -1) return !first
    const mayBeEmpty = first && mark !== '' && dialect.name === context.taught?.name
    const isEmptyList = mayBeEmpty && (yield* take(source, '[]'))
    if (isEmptyList) yield* skipSpace(source)
    const isClosed = yield* takeClose(source, section?.close ?? [])
    if (isClosed && !first) return true
    if (isClosed || isEmptyList) {
      // Marks around nothing are no words at the ends of an answer and next to calls; else somebody speaks of them.
      const isToken = isClosed && /^<[|｜]/.test(mark)
      const isLast = (isEmptyList || isToken) && (yield* skipSpace(source)) === -1
      const isPlaced =
        isLast || (isClosed && (isEmptyList || isToken) && !transcript.hasSpoken) || (isToken && transcript.afterCall)
      if (isPlaced) context.pen.note('mark_dropped', mark)
      return isPlaced
    }
    const isNext = !first && (yield* standsAny(source, openers))
    if (isNext || !(yield* readOneOf(context, dialect, code, from))) {
      if (first) return false
      // What follows the calls is not one: it is text, and the section's closer was forgotten.
      context.giveUp()
      source.goTo(from)
      yield* attempt(source, function* () {
        return (yield* skipSpace(source)) !== -1 && takeHalf(source, (section?.close ?? []).flatMap(literalsOf))
      })
      return true
    }
    if (!transcript.afterCall) return true
    // A list of which the first call was made is one: a tool nobody knows in it is a mistake, not words.
    if (mark !== '' && !transcript.holding) context.trust = 'firm'
  }
}

/** Reads a call by whichever of the dialect's spellings fits; an envelope is understood in any section. */
function* readOneOf(context: Context, dialect: Dialect, code: number, start: number): Step<boolean> {
  const { source } = context
  const { open } = dialect.grammar.call
  for (const template of open) {
    if ((yield* attempt(source, () => readOpened(context, dialect, template, start))) === true) return true
  }
  if (code !== 123 && code !== 91 && open.length > 0) return false
  return (yield* attempt(source, () => readEnvelopes(context, dialect, start))) === true
}

function* readOpened(context: Context, dialect: Dialect, template: string, start: number): Step<boolean> {
  const { source } = context
  const opener = openerOf(template)
  if (opener !== '' && !(yield* take(source, opener))) return false
  const isAnew = opener !== '' && (yield* attempt(source, () => takeRestart(source, opener))) === true
  const isRead = yield* readCall(context, { dialect, tokens: tokensAfterOpener(template) }, start)
  if (isRead && isAnew) context.pen.note('mark_dropped', opener)
  return isRead
}

const maxRestart = 256

/** Takes a name and the opener again: the model began anew, and what it had begun was no call yet. */
function* takeRestart(source: Source, opener: string): Step<boolean> {
  const name = yield* takeRun(source, maxRestart, (code) => !/[\w.:\s-]/.test(String.fromCharCode(code)))
  return name !== undefined && (yield* take(source, opener))
}
