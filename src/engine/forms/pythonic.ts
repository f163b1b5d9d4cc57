import type { Node } from '../../schema/node.ts'
import { decodeEscapes, escapeAt, maxDepth, parsePythonLiteral } from '../../schema/python-literal.ts'
import { endsBefore, endsHere, proposeMended } from '../salvage/json.ts'
import type { Notation } from '../salvage/notation.ts'
import { salvage } from '../salvage/salvage.ts'
import { peek, readLexeme, skipSpace, stands, take, takeRun } from '../text/literals.ts'
import { nowhere, type Pen, writeCoerced, writeString } from '../text/pen.ts'
import { Pieces } from '../text/pieces.ts'
import { need, nothing, runWhole } from '../text/running.ts'
import { isSpace, nextWord, type Source, type Step } from '../text/source.ts'
import { type Escapes, endOfString, readString } from '../text/strings.ts'
import { toJsonText } from '../text/value.ts'
import { type Outcome, readJson } from './json/json.ts'
import { memberFor } from './members.ts'
import type { ArgumentsForm, Opening } from './opening.ts'

/** Python's keyword arguments, up to the parenthesis that closes the call. */
export const keywordsForm: ArgumentsForm = { read: readKeywordsForm, isClosed: true }

function* readKeywordsForm(opening: Opening): Step<Outcome> {
  const { source, pen } = opening.context
  const node = opening.begin()
  const from = source.position
  const outcome = yield* readKeywords(source, node, pen)
  if (outcome === 'complete' && (yield* endsHere(opening, node))) return outcome
  const notation: Notation = {
    open: '',
    close: ')',
    colon: '=',
    quotes: ['"', "'"],
    quotesKeys: false,
    call: /[\w.]\s*\(\s*\w+\s*=/,
    endsAt: endsBefore(opening, '\\])'),
  }
  const propose = proposeMended(node, notation, (inner, own) => readKeywords(inner, node, { ...pen, ...own }))
  return yield* salvage(opening, node, from, outcome === 'complete' ? 'stuck' : outcome, propose)
}

/**
 * Reads Python's keyword arguments up to the closing parenthesis, which is left unread, and writes them as a JSON object
 * without its last brace. Positional arguments take the schema's names in order; a dict in the first place holds arguments
 * itself. Strings are written while they arrive, all else once it is whole.
 */
export function* readKeywords(source: Source, node: Node, pen: Pen): Step<Outcome> {
  let lead = '{'
  let hasKey = false
  const keys = new Set<string>()
  for (let count = 0; ; count++) {
    let code = yield* skipGap(source)
    if (count > 0 && code !== 41) {
      if (code !== 44) return code === -1 ? 'cut' : 'stuck'
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
    // Nothing goes without a keyword after one that has it.
    if (key === undefined || (hasKey && !isKey)) return source.at < source.text.length ? 'stuck' : 'cut'
    if (isKey) {
      source.at++
      hasKey = true
      start = ''
    } else {
      pen.note('positional_argument', key)
      if (!isSpaced) start += yield* readLexeme(source)
    }
    const member = memberFor(node, key, pen)
    if (member.name !== undefined) {
      if (keys.size === keys.add(member.name).size) return 'stuck'
      pen.write(`${lead}${JSON.stringify(member.name)}: `)
      lead = ', '
    }
    const outcome = yield* readLiteral(source, member.node, member.name === undefined ? nowhere : pen, start)
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

/** Reads a value of which `start` is taken already. */
function* readLiteral(source: Source, node: Node, pen: Pen, start: string): Step<Outcome> {
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
    const string = writeString(node, pen)
    const outcome = yield* readStrings(source, word, string.write)
    if (outcome !== 'complete') return outcome
    const after = yield* skipGap(source)
    if (after !== 41 && after !== 44) return after === -1 ? 'cut' : 'stuck'
    pen.write(string.end())
    return outcome
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
      const outcome = yield* readStrings(source, word, push)
      if (outcome !== 'complete') return outcome
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

/**
 * The inside of a string, or of several in a row, which Python joins, as that of one of JSON. One with values to fill in says
 * what only Python could tell.
 */
function* readStrings(source: Source, prefix: string, push: (json: string) => void): Step<Outcome> {
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
    if (fence === sign) source.at++
    const ends = function* (): Step<boolean> {
      const isLast = yield* stands(source, fence)
      if (isLast) source.at += fence.length - 1
      return isLast
    }
    if (!(yield* readString(source, sign.charCodeAt(0), write, escapes, ends))) return 'cut'
    if (isFilled) return 'stuck'
  } while (isString('', yield* skipSpace(source)))
  return 'complete'
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
