import { openerOf, readTokens, tokensAfterOpener } from '../../marks/template.ts'
import { charsOf, skipSpace, stands, standsAfterSpace, standsAny, take, takeAny, takeRun } from '../../text/literals.ts'
import { ignore } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import { attempt, look, need } from '../../text/running.ts'
import type { Source, Step } from '../../text/source.ts'
import { createDecoder, createLayout, readUntil } from '../../text/value.ts'
import type { Outcome } from '../json/json.ts'
import type { TaggedMarks } from './marks.ts'

export const cdataOpen = '<![CDATA['
const cdataClose = ']]>'

/** A value between the tags of its argument. */
export interface Value {
  readonly source: Source
  readonly marks: TaggedMarks
  /** What opens it, and what closes it. */
  readonly open: string
  readonly close: string
  /** `&amp;` and its like stand for characters. */
  readonly entities: boolean
  /** How deep its opening tag stands on its line; 0 where that is not the first thing on it. */
  readonly indent: number
}

/**
 * The text of a value up to and with its own closer, layout newlines stripped, CDATA unwrapped. Tags of its own name in it
 * are counted; all else is its text. From where a mark of the call stands in it the text waits: its closer may be missing.
 */
export function* readRaw(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source, marks } = value
  if (yield* standsAfterSpace(source, [cdataOpen])) {
    const outcome = yield* readCdata(value, write)
    if (outcome !== undefined) return outcome
  }
  const decoded = value.entities ? createDecoder(write).push : write
  const layout = createLayout(decoded, value.indent, marks.spec.layout === 'inline')
  const held = new Pieces()
  let waits = false
  const push = (text: string): void => {
    const end = waits ? 0 : text.trimEnd().length
    if (end > 0) layout.push(held.take() + text.slice(0, end))
    held.push(text.slice(end))
  }
  const ownOpener = openerIn(value)
  // `<parameter>room</parameter>`: nothing tells where such a value ends.
  if (value.open.includes(value.close)) return 'stuck'
  const start = source.mark()
  const trims = marks.spec.trims === true
  // Blanks at the beginning belong to a value that has more lines.
  held.push((trims ? yield* takeRun(source, Infinity, isNoBlank) : '') ?? '')
  const hasLead = held.length > 0
  waits = hasLead
  const startsTwice = ownOpener.length > 1 && (yield* stands(source, ownOpener))
  let depth = 0
  const ends = function* (): Step<boolean> {
    if (yield* take(source, value.close)) {
      if (depth === 0 && !(yield* look(source, () => isQuoted(value, start)))) return true
      if (depth > 0) depth--
      waits = true
      push(value.close)
    } else if (yield* opensOwn(value, ownOpener)) {
      waits = true
      depth++
    } else if (yield* stands(source, cdataOpen)) {
      yield* attempt(source, () => passCdata(source, marks.missing, push))
    } else waits ||= (yield* standsAny(source, marks.signals)) || (yield* look(source, () => closesWrongly(value)))
    return false
  }
  const isClosed = yield* readUntil(source, [value.close, ownOpener, cdataOpen, '</', ...marks.signals], push, ends)
  const isSpoken = isClosed && isWord.test(lineBefore(value, start))
  const isOneLine = trims && !source.since(start).includes('\n')
  // An opener written twice took in the rest of the call, and more.
  const isDoubled = startsTwice && marks.closers.some((closer) => source.since(start).includes(closer))
  source.release()
  if (!isClosed) return 'cut'
  if (isDoubled || !(yield* isFollowed(value, isSpoken))) return 'stuck'
  layout.push(
    isOneLine
      ? held
          .toString()
          .replace(/[ \t]+$/, '')
          .replace(hasLead ? /^[ \t]+/ : '', '')
      : held.toString(),
  )
  layout.flush()
  return 'complete'
}

/** CDATA is how a value that contains the dialect's own closers is written, here as in XML. Undefined where a text goes on behind it. */
function* readCdata(value: Value, write: (text: string) => void): Step<Outcome | undefined> {
  const { source } = value
  const start = source.mark()
  try {
    yield* skipSpace(source)
    yield* take(source, cdataOpen)
    const text = new Pieces()
    // One that follows another at once goes on with its text.
    const ends = function* (): Step<boolean> {
      return (yield* take(source, cdataClose)) && !(yield* take(source, cdataOpen))
    }
    if (!(yield* readUntil(source, [cdataClose], (piece) => text.push(piece), ends))) return 'cut'
    if ((yield* skipSpace(source)) === -1) return 'cut'
    if (yield* take(source, value.close)) {
      write(text.toString())
      return (yield* isFollowed(value, false)) ? 'complete' : 'stuck'
    }
    source.goTo(start)
    return undefined
  } finally {
    source.release()
  }
}

/** Marks in CDATA are text. */
export function* passCdata(source: Source, missing: Set<string>, push: (text: string) => void): Step<boolean> {
  if (missing.has(cdataClose)) return false
  const start = source.position
  yield* take(source, cdataOpen)
  const isClosed = yield* readUntil(source, [cdataClose], ignore, () => take(source, cdataClose))
  if (isClosed) push(source.since(start))
  else if (!source.isAtLimit) missing.add(cdataClose)
  return isClosed
}

/** What begins a tag of the value's own name: `<parameter`, or `<path>` where nothing but the name is in it. */
export function openerIn({ open, close, marks }: Pick<Value, 'open' | 'close' | 'marks'>): string {
  const [, before = '', name] = /^(.*)<\/([^<>]+)>$/.exec(close) ?? []
  const tag = `${before}<${name}`
  // Where a key stands before the value, in a tag of its own, that begins the argument.
  if (name === undefined || !open.startsWith(tag)) return openerOf(marks.spec.open).replace(/\s.*$/s, '')
  return openerOf(marks.spec.open).endsWith('<') || open.endsWith(`${tag}>`) ? `${tag}>` : tag
}

function* opensOwn({ source, marks, close }: Value, opener: string): Step<boolean> {
  if (opener === '' || !(yield* stands(source, opener))) return false
  // A key in a tag of its own opens nothing before its value does.
  if (!close.includes(opener.replace(/^.*<\W*|>$/g, '')))
    return yield* look(source, function* () {
      source.at += opener.length
      return (yield* readTokens(source, tokensAfterOpener(marks.spec.open))) !== undefined
    })
  yield* need(source, opener.length + 1)
  return opener.endsWith('>') || !/[\w.-]/.test(source.text.charAt(source.at + opener.length))
}

/** Whether a closing tag of another name stands where the value's own might, before a mark of the call. */
function* closesWrongly({ source, marks }: Value): Step<boolean> {
  if (!(yield* take(source, '</'))) return false
  const name = yield* takeRun(source, longestTag, isOutside)
  return name !== undefined && (yield* take(source, '>')) && (yield* standsAfterSpace(source, marks.signals))
}

const longestTag = 48
const isNoBlank = (code: number): boolean => code !== 32 && code !== 9
const isOutside = charsOf(/[<>]/)

const mostBefore = 64

/** Whether the closer that was just taken stands, with those of the call, in a string or a sentence of the value: `"</a></b>"`. */
function* isQuoted(value: Value, start: number): Step<boolean> {
  const { source, marks } = value
  const line = lineBefore(value, start)
  if (!isWord.test(line) && !/["'`(]/.test(line)) return false
  let count = 0
  while (count < 4 && (yield* attempt(source, () => takeCallCloser(source, marks.closers))) === true) count++
  if (count === 0) return false
  yield* need(source, 2)
  const next = source.text.slice(source.at, source.at + 2)
  return /^["'`.,;:)\\]/.test(next) || (isWord.test(line) && /^ [\p{L}\p{N}]/u.test(next))
}

/** After this a closer stands in the middle of a line, as a word would. */
const isWord = /[^\s>][ \t]$/

/** What stands in the line before the closer that was just taken, as far as the value reaches. */
function lineBefore({ source, close }: Value, start: number): string {
  const end = source.position - close.length
  return /[^\n]*$/.exec(source.since(Math.max(start, end - mostBefore), end))?.[0] ?? ''
}

function* takeCallCloser(source: Source, closers: readonly string[]): Step<boolean> {
  yield* skipSpace(source)
  return (yield* takeAny(source, closers)) !== undefined
}

/** Whether what stands after a value's closer may stand there. Twice a closer is a slip, unless the first was a word. */
function isFollowed({ source, marks, close }: Value, isSpoken: boolean): Step<boolean> {
  return look(source, function* () {
    if ((yield* skipSpace(source)) === -1) return true
    if (yield* stands(source, close)) return !isSpoken
    if (!(yield* standsAny(source, marks.afterValue))) return false
    if (!marks.openers.includes('<') || !(yield* stands(source, '</'))) return true
    return yield* standsAny(source, marks.closers)
  })
}
