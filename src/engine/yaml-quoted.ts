import { moreOf, peek, type Step, standsAny } from './source.ts'
import { toJsonText } from './value.ts'
import {
  type Body,
  blank,
  carriageReturn,
  closer,
  endsLine,
  newline,
  noteRepair,
  quote,
  readBlanks,
  tab,
} from './yaml-lines.ts'

const comma = 44
const backslash = 92

/**
 * Text in double quotes after the opening one, written as the inside of a JSON string while it arrives. A quote that does
 * not end its line is taken for one the model forgot to escape. False when the quotes are never closed.
 */
export function* readQuoted(body: Body): Step<boolean> {
  const { source, pen, closers } = body
  /** Blanks that mean nothing if the line ends after them. */
  let held = ''
  const flush = (json: string): void => {
    pen.write(held === '' ? json : toJsonText(held) + json)
    held = ''
  }
  const push = (json: string): void => {
    let end = json.length
    while (end > 0 && json.charCodeAt(end - 1) === blank) end--
    if (end > 0) flush(end === json.length ? json : json.slice(0, end))
    if (end < json.length) held += json.slice(end)
  }
  const fast = (chunk: string): boolean => {
    if (endOfPlain(chunk, 0) < chunk.length) return false
    push(chunk)
    return true
  }
  for (;;) {
    const at = endOfPlain(source.text, source.at)
    if (at > source.at) push(source.text.slice(source.at, at))
    source.at = at
    if (at === source.text.length) {
      if (!(yield* moreOf(source, fast))) return false
      continue
    }
    const code = source.text.charCodeAt(at)
    if (code === closer && (yield* standsAny(source, closers))) return false
    if (code === newline) {
      held = ''
      pen.write(toJsonText(yield* readFold(body)))
      continue
    }
    source.at++
    if (code === tab || code === carriageReturn) held += String.fromCharCode(code)
    else if (code === backslash) flush(yield* readEscape(body))
    else if (code === quote) {
      const tail = yield* readTail(body)
      flush(tail === undefined ? '"' : toJsonText(`"${tail}`))
      if (tail === undefined) return true
      noteRepair(body, 'unescaped quote')
    } else {
      const isPair = (code & 0xfc00) === 0xd800 && (source.text.charCodeAt(source.at) & 0xfc00) === 0xdc00
      if (isPair) source.at++
      flush(toJsonText(source.text.slice(source.at - (isPair ? 2 : 1), source.at)))
    }
  }
}

/** Where text ends that is the same inside a JSON string, the escapes both know included. */
function endOfPlain(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash && at + 1 < text.length && isShared(text.charCodeAt(at + 1))) at++
    else if (code < 32 || code === quote || code === backslash || code === closer || (code & 0xf800) === 0xd800) break
  }
  return at
}

/** Whether a backslash before this means the same in JSON, and is how `toJsonText` writes it. */
function isShared(code: number): boolean {
  return code === 110 || code === quote || code === backslash || code === 116 || code === 114
}

/** What stands after a quote, as far as it takes to see that the text goes on; undefined where the quote was its last. */
export function* readTail(body: Body): Step<string | undefined> {
  const { source } = body
  let tail = yield* readBlanks(source)
  const hasComma = (yield* peek(source)) === comma
  if (hasComma) {
    source.at++
    tail += `,${yield* readBlanks(source)}`
  }
  if (!(yield* endsLine(body, tail))) return tail
  if (hasComma) noteRepair(body, 'trailing comma')
  return undefined
}

/** Line ends inside quotes: one is a space, more are one fewer. Where the next line is not indented, they are meant. */
function* readFold(body: Body): Step<string> {
  const { source, base } = body
  let lines = 0
  let space = ''
  while ((yield* peek(source)) === newline) {
    source.at++
    lines++
    space = yield* readBlanks(source)
    if ((yield* peek(source)) === carriageReturn) source.at++
  }
  if (space.length > base || (yield* endsLine(body, ''))) return lines === 1 ? ' ' : '\n'.repeat(lines - 1)
  noteRepair(body, 'text not indented')
  return '\n'.repeat(lines)
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}
const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** What stands after a backslash, as JSON. One that begins no escape, as in a pattern, is meant. */
function* readEscape(body: Body): Step<string> {
  const { source } = body
  const code = yield* peek(source)
  const next = code === -1 ? '' : source.text.charAt(source.at)
  if (code === newline) {
    const fold = yield* readFold(body)
    return toJsonText(fold === ' ' ? '' : fold)
  }
  if (Object.hasOwn(escapes, next)) {
    source.at++
    return toJsonText(escapes[next] as string)
  }
  const length = Object.hasOwn(hexLengths, next) ? (hexLengths[next] as number) : 0
  while (source.text.length - source.at <= length && !source.ended) yield
  const hex = source.text.slice(source.at + 1, source.at + 1 + length)
  const point = Number.parseInt(hex, 16)
  if (length === 0 || hex.length < length || !/^[0-9a-f]+$/i.test(hex) || point > 0x10ffff) return '\\\\'
  source.at += 1 + length
  return length === 4 ? `\\u${hex}` : toJsonText(String.fromCodePoint(point))
}
