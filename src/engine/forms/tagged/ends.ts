import { openerOf, printTemplate, readTokens, tokensAfterOpener } from '../../marks/template.ts'
import { charsOf, mayStandAt, stands, standsAfterSpace, standsAny, take, takeRun } from '../../text/literals.ts'
import { ignore } from '../../text/pen.ts'
import { attempt, later, look, need, nothing } from '../../text/running.ts'
import { isSpace, nextWord, type Source, type Step } from '../../text/source.ts'
import { readUntil } from '../../text/value.ts'
import { endsCall, findCloser, isFollowed, takeCloser } from './closers.ts'
import type { Value, ValueReading } from './marks.ts'

export const cdataOpen = '<![CDATA['
export const cdataClose = ']]>'

/** What ends a value: its closer, what stands where that should, the same although another argument began in it, or nothing. */
export type End = 'closer' | 'missing' | 'merged' | 'none'

/**
 * Whether the value ends here: at its closer, which is taken, or, where the model forgot it, at the call's own closer or
 * the next argument, which stay. A closer of something that the value itself opened belongs to the value. One that is not
 * followed as it should be is probably quoted, too: then the value goes on to the first that is. If there is none, this
 * one was it, unless the answer was cut off.
 */
export function* endsValue(reading: ValueReading): Step<End> {
  const { value, quotation } = reading
  const { marks } = value
  const { pairs } = marks
  const { source, pen } = value.context
  yield* need(source, 2)
  const second = source.text.charCodeAt(source.at + 1)
  if (isWordUnit(second)) yield* hasName(source) ?? later(source, hasName, undefined)
  if (second === 47) yield* hasFollower(source, reading) ?? later(source, hasFollower, reading)
  if (passPlain(reading, source.text, source.at) > 0) return 'none'
  if (second === 33) return (yield* stands(source, cdataOpen)) ? yield* passCdata(reading) : 'none'
  const here = source.position
  if (yield* takeCloser(source, value.close)) {
    if (quotation.closes(value.close) || quotation.isInside(pairs.keys())) return yield* passOver(reading, here)
    if (yield* isFollowed(reading)) return settle(reading, here)
    const search = yield* findCloser(reading, reading.passed ?? here, [])
    if (search === 'cut') source.goTo(here)
    return search === 'cut' ? 'none' : search === 'none' ? settle(reading, here) : 'closer'
  }
  for (const closer of marks.closers) {
    if (!(yield* take(source, closer))) continue
    if (quotation.closes(closer)) return yield* passOver(reading, undefined, here)
    const fits = yield* endsCall(value)
    if (reading.passed !== undefined) return fits ? 'missing' : 'none'
    const search = fits ? 'none' : yield* findCloser(reading, here, marks.closers)
    if (search === 'found') return 'closer'
    if (search !== 'outer') source.goTo(here)
    if (search === 'cut') return 'none'
    pen.note('closer_missing', value.close)
    return 'missing'
  }
  for (const [closer, openers] of pairs) {
    for (const opener of openers) {
      if (!(yield* stands(source, opener))) continue
      quotation.opens(closer)
      return 'none'
    }
  }
  const next = second === 47 ? undefined : yield* nextArgument(value)
  if (next === undefined) return yield* endsWrongly(reading)
  const isNext = marks.node.hasProperty(next.key) || marks.node.properties.length === 0
  // One that is written another way than this one is of another call, too.
  const isOther = next.open !== value.open || value.seen.has(next.key) || !isNext
  const isQuoted = isOther || quotation.isInside(pairs.keys())
  if (isQuoted || (quotation.counts && (yield* isMentioned(reading, next)))) {
    quotation.opens(next.close)
    if (isNext && next.open !== value.open) quotation.opensTag(next.key)
    return 'none'
  }
  if (reading.passed === undefined) pen.note('closer_missing', value.close)
  return 'missing'
}

/**
 * How much is plainly text where a value might end, as far as what is at hand tells: most tags are, and the readers cost
 * far more. `bench/sweep.ts` shows how much. What the value opens there is counted.
 */
export function passPlain(reading: ValueReading, text: string, at: number): number {
  const { value, quotation, passed } = reading
  const { marks, close } = value
  const second = text.charCodeAt(at + 1)
  if (second === 33 || Number.isNaN(second) || mayStandAt(text, at, close)) return 0
  const isClosing = second === 47
  const start = at + (isClosing ? 2 : 1)
  const end = endOfWord(text, start)
  if (end === text.length || end - at > maxTag) return 0
  if (marks.seconds.includes(text.charAt(at + 1)) && marks.tags.some((tag) => mayStandAt(text, at, tag))) return 0
  if (isClosing) return isOthers(reading, text, at, end) ? end - at : 0
  if (end > start && passed === undefined && reading.isTagged) quotation.opensTag(text.slice(start, end))
  return end - at
}

/** Whether the closing tag that stands here, with a name up to `end`, is plainly somebody else's, or none. One of the value's own is counted. */
function isOthers({ value, quotation, passed }: ValueReading, text: string, at: number, end: number): boolean {
  const last = text.charCodeAt(end)
  if (!value.close.startsWith('</') || last !== 62) return !isSpace(last) && last !== 61
  if (passed !== undefined || quotation.closes(text.slice(at, end + 1))) return true
  const next = nextWord(text, end + 1)
  return next < text.length && !value.marks.surelyAfterValue.some((mark) => mayStandAt(text, next, mark))
}

function endOfWord(text: string, from: number): number {
  let end = from
  while (end < text.length && isWordUnit(text.charCodeAt(end))) end++
  return end
}

/** A closer that belongs to what the value quotes is text. If it could have been the value's own, that is remembered. */
function* passOver(reading: ValueReading, own: number | undefined, here = own ?? 0): Step<End> {
  const { value, push } = reading
  const { source } = value.context
  if (own !== undefined && reading.passed === undefined && (yield* isFollowed(reading))) reading.passed = own
  else if (reading.passed === undefined) push(source.since(here))
  return 'none'
}

/** The value ends at its closer, and what was kept back belongs to it. */
function settle(reading: ValueReading, end: number): End {
  const { source, pen } = reading.value.context
  if (reading.passed === undefined) return 'closer'
  reading.push(source.since(reading.passed, end))
  pen.note('closer_quoted', reading.value.close)
  return 'closer'
}

/** Marks in CDATA are nobody's. */
function* passCdata({ passed, push, value }: ValueReading): Step<End> {
  const { source, missing } = value.context
  if (missing.has(cdataClose)) return 'none'
  const start = source.position
  const isClosed = yield* attempt(source, () => readUntil(source, ']', () => take(source, cdataClose), ignore))
  if (isClosed !== true) missing.add(cdataClose)
  else if (passed === undefined) push(source.since(start))
  return 'none'
}

const isWordUnit = charsOf(/[\w./:-]/)

/** A closing tag of another name where the value's own should stand, and nothing in the value it could close. */
function* endsWrongly(reading: ValueReading): Step<End> {
  const { value, quotation, passed } = reading
  const { source, pen } = value.context
  if (!reading.isTagged || passed !== undefined) return 'none'
  const [prefix = ''] = value.close.split('</')
  const closing = `${prefix}</`
  if (yield* stands(source, closing)) {
    const tag = yield* attempt(source, () => takeOtherCloser(value, closing))
    if (tag === undefined) return 'none'
    pen.note('closer_wrong', `</${tag}>`)
    return 'closer'
  }
  const word = yield* look(source, () => {
    source.at++
    return takeRun(source, maxTag, (code) => !isWordUnit(code))
  })
  if (word !== undefined && word !== '') quotation.opensTag(word)
  return 'none'
}

function* takeOtherCloser({ context: { source }, marks }: Value, closing: string): Step<string | undefined> {
  yield* take(source, closing)
  const word = yield* takeRun(source, maxTag, (code) => !isWordUnit(code))
  if (word === undefined || word === '' || !(yield* take(source, '>'))) return undefined
  return (yield* standsAfterSpace(source, marks.surelyAfterValue, true)) ? word : undefined
}

interface NextArgument {
  readonly key: string
  /** The template of its tag. */
  readonly open: string
  readonly close: string
  /** Of its opening tag, as it stands here. */
  readonly length: number
}

/** The argument that begins here, without taking anything. A tag that may be anybody's says nothing. */
function* nextArgument({ context, marks }: Value): Step<NextArgument | undefined> {
  const { source } = context
  for (const { open, close, key } of marks.spellings) {
    const opener = openerOf(open)
    if (key !== undefined || opener.length < 2 || !(yield* stands(source, opener))) continue
    const found = yield* look(source, () => readOpener(source, opener, open))
    if (found !== undefined) return { ...found, close: printTemplate(close, { key: found.key }) }
  }
  return undefined
}

function* readOpener(source: Source, opener: string, open: string): Step<Omit<NextArgument, 'close'> | undefined> {
  const start = source.position
  source.at += opener.length
  const key = (yield* readTokens(source, tokensAfterOpener(open)))?.get('key')
  return key === undefined ? undefined : { key, open, length: source.position - start }
}

/**
 * Whether the value only speaks of the argument whose tag stands here: in the middle of a line, or in a call that has this
 * argument further on. Else the closer was forgotten.
 */
function* isMentioned({ value, start }: ValueReading, { length }: NextArgument): Step<boolean> {
  const { source } = value.context
  const tag = source.ahead(length).trim()
  const { position } = source
  if (/\S[ \t]$/.test(source.since(Math.max(start, position - 2)))) return true
  let isThere = false
  yield* look(source, function* () {
    yield* take(source, tag)
    yield* readUntil(
      source,
      tag.charAt(0),
      function* () {
        isThere = yield* stands(source, tag)
        return isThere || (yield* standsAny(source, value.marks.closers))
      },
      ignore,
    )
  })
  return isThere
}

/** Whether what follows a closing tag is there, or is not near, or the value opened the tag: then that alone tells whose it is. */
function hasFollower({ text, at, ended }: Source, { value, quotation }: ValueReading): Step<void> | undefined {
  const tag = text.slice(at, endOfWord(text, at + 2) + 1)
  if (!tag.endsWith('>') || quotation.isInside([tag]) || ended || text.length - at >= maxTag) return nothing
  const next = nextWord(text, at + tag.length)
  const isOpen = ({ length }: string): boolean => length > text.length - next
  return value.marks.surelyAfterValue.some((mark) => isOpen(mark) && mayStandAt(text, next, mark)) ? undefined : nothing
}

/** Whether all of the name in a tag is there, or more than any has: nobody below is to be resumed for each of its letters. */
function hasName({ text, at, ended }: Source): Step<void> | undefined {
  const end = endOfWord(text, at + 2)
  return end < text.length || end - at > maxTag || ended ? nothing : undefined
}

const maxTag = 256
