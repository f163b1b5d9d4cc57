import type { Node } from '../../schema/node.ts'
import { decodeEscapes, escapeAt, maxDepth, parsePythonLiteral } from '../../schema/python-literal.ts'
import { peek, skipSpace, stands, take, takeRun } from '../text/literals.ts'
import { nowhere, type Pen, Watch, writeCoerced, writeString } from '../text/pen.ts'
import { Pieces } from '../text/pieces.ts'
import { later, look, need, no, nothing, yes } from '../text/running.ts'
import { isSpace, nextWord, type Source, type Step } from '../text/source.ts'
import { type Escapes, endOfString, readString, takeQuotes } from '../text/strings.ts'
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
  const keywords: Keywords = { source, place: isInner ? 'inner' : 'positional', isDoubtful: false }
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
    // A keyword, if it is one, or the beginning of a word or number.
    let start = yield* takeRun(source, maxName, (code) => !/[\p{L}\p{N}_-]/u.test(String.fromCharCode(code)))
    if (start === undefined) return 'stuck'
    const isSpaced = isSpace(yield* peek(source))
    const isKey = (yield* skipSpace(source)) === 61 && start !== ''
    const key = isKey ? start : node.properties[count]
    // Nothing goes without a keyword after one that has it, except what stands behind a quote that should be escaped.
    if (key === undefined || (keywords.place === 'keyword' && !isKey))
      return source.at < source.text.length ? 'stuck' : 'cut'
    if (isKey) {
      source.at++
      if (!isInner) keywords.place = 'keyword'
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
    const outcome = yield* readLiteral(keywords, member.node, member.name === undefined ? nowhere : pen, start)
    if (outcome !== 'complete') return outcome
  }
}

/** Passes over white space and comments; the next character's code, or -1 at the end. */
function skipGap(source: Source): Step<number> {
  return source.passSpace() && source.text.charCodeAt(source.at) !== 35 ? peek(source) : skipComments(source)
}

function* skipComments(source: Source): Step<number> {
  for (;;) {
    const code = yield* skipSpace(source)
    if (code !== 35) return code
    for (let next = code; next !== 10 && next !== -1; next = yield* peek(source)) source.at++
  }
}

const maxName = 256

/** Keyword arguments being read. */
interface Keywords {
  readonly source: Source
  /** Where their values stand. */
  place: Place
  /** A string has an odd number of quotes that should be escaped: it may have ended elsewhere, if another follows. */
  isDoubtful: boolean
}

/** Reads a value of which `start` is taken already. */
function* readLiteral(keywords: Keywords, node: Node, pen: Pen, start: string): Step<Outcome> {
  const { source, place } = keywords
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
    if (keywords.isDoubtful) {
      pen.note('call_ambiguous')
      return 'stuck'
    }
    const string = writeString(node, pen)
    const unescaped = yield* readOwnStrings(source, word, string.write, place, pen)
    if (typeof unescaped === 'string') return unescaped
    string.end()
    keywords.isDoubtful = unescaped % 2 === 1
    return 'complete'
  }
  const json = parsePythonLiteral(word)
  return json === undefined ? 'stuck' : write(json)
}

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

/** Collects what stands in brackets, its strings already as JSON, and hands it on as JSON. */
function* readContainer(source: Source, pen: Pen, accept: (json: string) => Outcome): Step<Outcome> {
  const closers: string[] = []
  const text = new Pieces()
  const push = (piece: string): void => text.push(piece)
  do {
    const from = source.position
    yield* skipGap(source)
    if (source.position > from) push(' ')
    const end = endOfItem(source)
    if (end > 0) {
      push(source.text.slice(source.at, end))
      source.at = end
      continue
    }
    const word = yield* readLexeme(source)
    const next = yield* peek(source)
    if (next === -1) return 'cut'
    if (isString(word, next)) {
      push('"')
      const unescaped = yield* readOwnStrings(source, word, push, 'nested', pen)
      if (typeof unescaped === 'string') return unescaped
      push('"')
    } else if (word !== '') push(word)
    else {
      const sign = source.text.charAt(source.at++)
      const closer = closerOf[sign]
      if (closer !== undefined && closers.push(closer) > maxDepth) return 'stuck'
      if (')]}'.includes(sign) && closers.pop() !== sign) return 'stuck'
      push(sign)
    }
  } while (closers.length > 0)
  const json = parsePythonLiteral(text.toString(), () => pen.note('set_to_list'))
  return json === undefined ? 'stuck' : accept(json)
}

/** Where a string ends that begins here, is all there, plain and followed by a sign; else -1. It only saves looking. */
function endOfItem({ text, at }: Source): number {
  const end = endOfString(text, at)
  return end > 0 && /[,)\]}:]/.test(text.charAt(nextWord(text, end))) ? end : -1
}

/** Whether a string begins here, with or without a prefix: r'…', f'…'. */
function isString(word: string, next: number): boolean {
  return (next === 34 || next === 39) && /^[rbfu]{0,2}$/i.test(word)
}

/** Where a string stands decides what may follow its last quote. */
type Place = 'keyword' | 'positional' | 'nested' | 'inner'

/** How many quotes in a string were not escaped, or why it is none. */
type StringOutcome = number | Exclude<Outcome, 'complete'>

/** Strings that do not take in another call. */
function* readOwnStrings(
  source: Source,
  prefix: string,
  push: (json: string) => void,
  place: Place,
  pen: Pen,
): Step<StringOutcome> {
  source.mark()
  const watch = new Watch(source, pen)
  const unescaped = yield* readStrings(source, prefix, push, place, watch)
  const hasCall = typeof unescaped === 'number' && unescaped > 0 && watch.finds(true)
  if (hasCall) watch.goBack()
  source.release()
  if (hasCall) pen.note('call_ambiguous')
  return hasCall ? 'stuck' : unescaped
}

/**
 * The inside of a string, or of several in a row, which Python joins, as that of one of JSON. One that an operator joins to more, or with values to
 * fill in, says what only Python could tell.
 */
function* readStrings(
  source: Source,
  prefix: string,
  push: (json: string) => void,
  place: Place,
  watch: Watch,
): Step<StringOutcome> {
  let unescaped = 0
  let isFilled = false
  const fill = (json: string): void => {
    isFilled ||= json.includes('{')
    push(json)
  }
  const write = /f/i.test(prefix) ? fill : push
  const escapes = /r/i.test(prefix) ? rawEscapes : pythonEscapes
  do {
    const sign = source.text.charAt(source.at)
    const fence = (yield* take(source, sign.repeat(3))) ? sign.repeat(3) : sign
    if (fence !== sign && source.text.startsWith(fence, source.at)) {
      source.at += fence.length
      continue
    }
    const quote = sign.charCodeAt(0)
    if (fence === sign) source.at++
    let isFirst = true
    let failure: 'cut' | 'stuck' | undefined
    const ends = function* (): Step<boolean> {
      if (fence !== sign) {
        const isLast = yield* stands(source, fence)
        if (isLast) source.at += 2
        else if (source.ended && source.text.length - source.at < 3) failure = 'cut'
        return isLast || failure !== undefined
      }
      const { isLast, next } = yield* look(source, () => endsString(source, quote, place))
      if (!isLast && isFirst && next === plus) failure = 'stuck'
      isFirst = false
      return isLast || failure !== undefined
    }
    /** Only the last of quotes in a row may end the string, and that before a sign. */
    const endsAtOnce = (): Step<boolean> => {
      if (fence !== sign) return ends()
      if (!isFirst) unescaped += takeQuotes(source, write)
      if (!isFirst && watch.finds()) return yes
      const next = source.text.charAt(nextWord(source.text, source.at + 1))
      if ((isFirst ? afterFirst : afterString).includes(next)) return ends()
      isFirst = false
      return no
    }
    const inner = yield* readString(source, quote, write, endsAtOnce, escapes)
    if (isFilled) return 'stuck'
    if (failure !== undefined) return failure
    if (inner === undefined) return 'cut'
    if (fence === sign) unescaped += inner
  } while (isString('', yield* skipSpace(source)))
  return unescaped
}

const plus = 43
const afterString = ',)]}:"\''
const afterFirst = `${afterString}+`
const maxAhead = 80
const lastOfValue = /^(?:\)\s*[^\s)"']|,\s*(?:[\p{L}_][\p{L}\p{N}_-]*\s*=|[)*#]))/u
const lastOfInner = /^(?:\)\s*\)\s*[^\s)"']|,\s*[\p{L}_][\p{L}\p{N}_-]*\s*=)/u
const undecided = /^(?:\)\s*|,\s*(?:[\p{L}_][\p{L}\p{N}_-]*\s*)?)$/u
const undecidedInner = /^(?:\)\s*(?:\)\s*)?|,\s*(?:[\p{L}_][\p{L}\p{N}_-]*\s*)?)$/u

/**
 * Whether the quote that stands next ends its string: a literal is followed by something of Python, a quote that the model
 * forgot to escape is not. After the call's own parenthesis there is neither another nor a quote, after the comma of a
 * keyword there is the next keyword. `next` is what follows, white space aside.
 */
function* endsString(source: Source, quote: number, place: Place): Step<{ isLast: boolean; next: number }> {
  source.at++
  const isSpaced = isSpace(yield* peek(source))
  const next = yield* skipSpace(source)
  if (next === -1 || (next === quote && !isSpaced)) return { isLast: next === -1, next }
  if (place === 'nested' || (next !== 41 && !(next === 44 && place !== 'positional')))
    return { isLast: afterString.includes(String.fromCharCode(next)), next }
  return { isLast: yield* isLastOf(source, place) ?? later(source, isLastOf, place), next }
}

function isLastOf({ text, at, ended }: Source, place: Place): Step<boolean> | undefined {
  const [open, last] = place === 'inner' ? [undecidedInner, lastOfInner] : [undecided, lastOfValue]
  const ahead = text.slice(at, at + maxAhead)
  if (!open.test(ahead)) return last.test(ahead) ? yes : no
  return ended || ahead.length === maxAhead ? yes : undefined
}

const pythonEscapes: Escapes = {
  *read(source, write) {
    if (/[xuU0-7]/.test(source.text.charAt(source.at + 1))) yield* need(source, 10)
    const written = escapeAt(source.text, source.at)
    write(toJsonText(decodeEscapes(written)))
    source.at += written.length
  },
}

/** In a raw string a backslash only keeps the quote after it from being the last. */
const rawEscapes: Escapes = {
  areKept: true,
  read(source, write) {
    const written = source.text.slice(source.at, source.at + 2)
    write(toJsonText(written))
    source.at += written.length
    return nothing
  },
}
