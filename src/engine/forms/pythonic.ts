import { Kind, type Node } from '../../schema/node.ts'
import { decodeEscapes, escapeAt, maxDepth, parsePythonLiteral } from '../../schema/python-literal.ts'
import { peek, skipSpace, take } from '../text/literals.ts'
import { nowhere, type Pen, writeCoerced } from '../text/pen.ts'
import { more, moreOf } from '../text/running.ts'
import { isSpace, type Source, type Step } from '../text/source.ts'
import { toJsonText } from '../text/value.ts'
import { readLexeme } from '../text/words.ts'
import { runWhole } from './arguments.ts'
import { type Outcome, readJson } from './json/json.ts'
import { memberFor } from './members.ts'
import type { ArgumentsForm } from './opening.ts'

/** Python's keyword arguments, up to the parenthesis that closes the call. */
export const keywordsForm: ArgumentsForm = {
  read: ({ context, dialect, begin }) =>
    readKeywords(context.source, begin(), context.pen, dialect.grammar.call.close[0] === '))'),
  isClosed: true,
}

/**
 * Reads Python's keyword arguments up to the closing parenthesis, which is left unread, and writes them as a JSON object
 * without its last brace. Positional arguments take the schema's names in order; a dict in the first place holds arguments
 * itself. Strings are written while they arrive, all else once it is whole. With `isInner` the call stands in another.
 */
export function* readKeywords(source: Source, node: Node, pen: Pen, isInner = false): Step<Outcome> {
  let lead = '{'
  let place: Place = isInner ? 'inner' : 'positional'
  const strings: Strings = { isDoubtful: false }
  for (let count = 0; ; count++) {
    let code = yield* skipGap(source)
    while (code === 44 && count > 0) {
      source.at++
      code = yield* skipGap(source)
    }
    if (code === -1) return 'cut'
    if (code === 41) {
      if (lead === '{') pen.write(lead)
      return 'complete'
    }
    if (code === 123 && count === 0) {
      let object = ''
      const inner: Pen = { ...pen, write: (piece) => void (object += piece) }
      const outcome = yield* readContainer(source, pen, (json) =>
        json.startsWith('{') ? runWhole(json, (dict) => readJson(dict, node, inner, { holdLast: true })) : 'stuck',
      )
      if (outcome !== 'complete') return outcome
      pen.write(object)
      lead = object === '{' ? '' : ', '
      continue
    }
    let start = yield* readName(source)
    const isSpaced = isSpace(yield* peek(source))
    const isKey = (yield* skipSpace(source)) === 61 && start !== ''
    const key = isKey ? start : node.properties[count]
    // Nothing goes without a keyword after one that has it, except what stands behind a quote that should be escaped.
    if (key === undefined || (place === 'keyword' && !isKey)) return source.at < source.text.length ? 'stuck' : 'cut'
    if (isKey) {
      source.at++
      if (!isInner) place = 'keyword'
      start = ''
    } else {
      pen.note('positional_argument', key)
      if (!isSpaced) start += yield* readLexeme(source)
    }
    const member = memberFor(node, key, pen)
    if (member.name !== undefined) {
      pen.write(`${lead}${JSON.stringify(member.name)}: `)
      lead = ', '
    }
    const outcome = yield* readLiteral(
      source,
      member.node,
      member.name === undefined ? nowhere : pen,
      start,
      place,
      strings,
    )
    if (outcome !== 'complete') return outcome
  }
}

/** Passes over white space and comments; the next character's code, or -1 at the end. */
function* skipGap(source: Source): Step<number> {
  for (;;) {
    const code = yield* skipSpace(source)
    if (code !== 35) return code
    for (let next = code; next !== 10 && next !== -1; next = yield* peek(source)) source.at++
  }
}

const maxName = 256

/** A keyword, if it is one, or the beginning of a word or number. */
function* readName(source: Source): Step<string> {
  let name = ''
  while (name.length < maxName && (yield* more(source)) && /[\p{L}\p{N}_-]/u.test(source.text.charAt(source.at)))
    name += source.text.charAt(source.at++)
  return name
}

/** The strings of one call. */
interface Strings {
  /** One of them has an odd number of quotes that should be escaped: it may have ended elsewhere, if another follows. */
  isDoubtful: boolean
}

/** Reads a value of which `start` is taken already. */
function* readLiteral(
  source: Source,
  node: Node,
  pen: Pen,
  start: string,
  place: Place,
  strings: Strings,
): Step<Outcome> {
  const write = (json: string): Outcome => {
    writeCoerced(node, json, pen)
    return 'complete'
  }
  const code = start === '' ? yield* skipGap(source) : 0
  if (code === 123 || code === 91 || code === 40) return yield* readContainer(source, pen, write)
  const word = start === '' ? yield* readLexeme(source) : start
  const next = yield* peek(source)
  if (next === -1) return 'cut'
  if (isString(word, next)) {
    const streams = !node.declared || (node.types & Kind.string) !== 0
    let text = ''
    const push = streams ? pen.write : (piece: string) => void (text += piece)
    if (strings.isDoubtful) {
      pen.note('call_ambiguous')
      return 'stuck'
    }
    const unescaped = yield* readStrings(source, word, push, place)
    if (typeof unescaped === 'string') return unescaped
    strings.isDoubtful = unescaped % 2 === 1
    return streams ? 'complete' : write(text)
  }
  const json = parsePythonLiteral(word)
  return json === undefined ? 'stuck' : write(json)
}

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

/** Collects what stands in brackets, its strings already as JSON, and hands it on as JSON. */
function* readContainer(source: Source, pen: Pen, accept: (json: string) => Outcome): Step<Outcome> {
  const closers: string[] = []
  let text = ''
  const push = (piece: string): void => void (text += piece)
  do {
    const from = source.position
    yield* skipGap(source)
    if (source.position > from) push(' ')
    const word = yield* readLexeme(source)
    const next = yield* peek(source)
    if (next === -1) return 'cut'
    if (isString(word, next)) {
      const unescaped = yield* readStrings(source, word, push, 'nested')
      if (typeof unescaped === 'string') return unescaped
    } else if (word !== '') push(word)
    else {
      const sign = source.text.charAt(source.at++)
      const closer = closerOf[sign]
      if (closer !== undefined && closers.push(closer) > maxDepth) return 'stuck'
      if (')]}'.includes(sign) && closers.pop() !== sign) return 'stuck'
      push(sign)
    }
  } while (closers.length > 0)
  const json = parsePythonLiteral(text, () => pen.note('set_to_list'))
  return json === undefined ? 'stuck' : accept(json)
}

/** Whether a string begins here, with or without a prefix: r'…', f'…'. */
function isString(word: string, next: number): boolean {
  return (next === 34 || next === 39) && /^[rbfu]{0,2}$/i.test(word)
}

/** Where a string stands decides what may follow its last quote. */
type Place = 'keyword' | 'positional' | 'nested' | 'inner'

/** How many quotes in a string were not escaped, or why it is none. */
type StringOutcome = number | Exclude<Outcome, 'complete'>

/**
 * A string, or several in a row, which Python joins, as one of JSON. One that an operator joins to more, or with values to
 * fill in, says what only Python could tell.
 */
function* readStrings(source: Source, prefix: string, push: (json: string) => void, place: Place): Step<StringOutcome> {
  let unescaped = 0
  let isFilled = false
  const fill = (json: string): void => {
    isFilled ||= json.includes('{')
    push(json)
  }
  const write = /f/i.test(prefix) ? fill : push
  write('"')
  do {
    const quote = source.text.charAt(source.at)
    const fence = (yield* take(source, quote.repeat(3))) ? quote.repeat(3) : quote
    if (fence === quote) source.at++
    const inner = yield* readString(source, fence, write, place, /r/i.test(prefix))
    if (isFilled) return 'stuck'
    if (typeof inner === 'string') return inner
    unescaped += inner
  } while (isString('', yield* peek(source)))
  write('"')
  return unescaped
}

/** The inside of a string, its last quote and the white space after it. */
function* readString(
  source: Source,
  fence: string,
  write: (json: string) => void,
  place: Place,
  isRaw: boolean,
): Step<StringOutcome> {
  const quote = fence.charCodeAt(0)
  const endOfPlain = (text: string, from: number): number => {
    let at = from
    while (at < text.length && text.charCodeAt(at) !== quote && text.charCodeAt(at) !== 92) at++
    return at
  }
  const fast = (chunk: string): boolean => {
    const isPlain = endOfPlain(chunk, 0) === chunk.length
    if (isPlain) write(toJsonText(chunk))
    return isPlain
  }
  for (let unescaped = 0; ; ) {
    const at = endOfPlain(source.text, source.at)
    if (at > source.at) write(toJsonText(source.text.slice(source.at, at)))
    source.at = at
    if (at === source.text.length) {
      if (!(yield* moreOf(source, fast))) return 'cut'
    } else if (source.text.charCodeAt(at) === 92) yield* readEscape(source, write, isRaw)
    else if (yield* take(source, fence)) {
      const space = yield* readSpace(source)
      if (fence.length === 3 || (yield* endsString(source, quote, space, place))) return unescaped
      if (unescaped === 0 && (yield* peek(source)) === plus) return 'stuck'
      unescaped++
      write(toJsonText(fence + space))
    } else {
      if (source.ended && source.text.length - source.at < fence.length) return 'cut'
      write(toJsonText(source.text.charAt(source.at++)))
    }
  }
}

function* readSpace(source: Source): Step<string> {
  let space = ''
  do {
    const from = source.at
    while (isSpace(source.text.charCodeAt(source.at))) source.at++
    space += source.text.slice(from, source.at)
  } while (source.at === source.text.length && (yield* more(source)))
  return space
}

const plus = 43
const maxAhead = 80
const lastOfValue = /^(?:\)\s*[^\s)"']|,\s*(?:[\p{L}_][\p{L}\p{N}_-]*\s*=|[)*#]))/u
const lastOfInner = /^(?:\)\s*\)\s*[^\s)"']|,\s*[\p{L}_][\p{L}\p{N}_-]*\s*=)/u
const undecided = /^(?:\)\s*|,\s*(?:[\p{L}_][\p{L}\p{N}_-]*\s*)?)$/u
const undecidedInner = /^(?:\)\s*(?:\)\s*)?|,\s*(?:[\p{L}_][\p{L}\p{N}_-]*\s*)?)$/u

/**
 * Whether a quote, with this white space after it, ended its string: a literal is followed by something of Python, a quote
 * that the model forgot to escape is not. After the call's own parenthesis there is neither another nor a quote, after the
 * comma of a keyword there is the next keyword.
 */
function* endsString(source: Source, quote: number, space: string, place: Place): Step<boolean> {
  const next = yield* peek(source)
  if (next === -1) return true
  if (next === quote && space === '') return false
  if (place === 'nested' || (next !== 41 && !(next === 44 && place !== 'positional')))
    return ',)]}:"\''.includes(String.fromCharCode(next))
  const [open, last] = place === 'inner' ? [undecidedInner, lastOfInner] : [undecided, lastOfValue]
  for (;;) {
    const ahead = source.text.slice(source.at, source.at + maxAhead)
    if (!open.test(ahead)) return last.test(ahead)
    if (source.ended || ahead.length === maxAhead) return true
    yield
  }
}

/** In a raw string a backslash only keeps the quote after it from being the last. */
function* readEscape(source: Source, write: (json: string) => void, isRaw: boolean): Step<void> {
  while (source.text.length - source.at < 2 && !source.ended) yield
  const isLong = !isRaw && /[xuU0-7]/.test(source.text.charAt(source.at + 1))
  while (isLong && source.text.length - source.at < 10 && !source.ended) yield
  const written = isRaw ? source.text.slice(source.at, source.at + 2) : escapeAt(source.text, source.at)
  write(toJsonText(isRaw ? written : decodeEscapes(written)))
  source.at += written.length
}
