import { coerceText } from '../../schema/coerce.ts'
import { Kind, type Node } from '../../schema/node.ts'
import { openerOf } from '../marks/template.ts'
import { endsBefore, proposeMended } from '../salvage/json.ts'
import { salvage } from '../salvage/salvage.ts'
import { peek, skipSpace, stands, standsAny, take, takeAny, takeRun } from '../text/literals.ts'
import { type Pen, writeCoerced, writeString } from '../text/pen.ts'
import { look } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'
import { decode, readWhole } from '../text/strings.ts'
import { readUntil, toJsonText } from '../text/value.ts'
import type { Outcome } from './json/json.ts'
import { type ArgumentsForm, type Opening, readObject } from './opening.ts'

/** JSON with a mark of the dialect's own around strings. */
export const pseudoForm: ArgumentsForm = { read: readPseudoForm }

function* readPseudoForm(opening: Opening): Step<Outcome> {
  const { context, dialect, begin, closers, next } = opening
  const spec = dialect.grammar.arguments
  if (spec.as !== 'pseudo' || next !== 123) return yield* readObject(opening)
  const { source, pen } = context
  const node = begin()
  const from = source.position
  const { quote } = spec
  const [opener] = dialect.grammar.call.open.map(openerOf)
  const outcome = yield* readPseudo(source, quote, node, pen, closers, opener)
  // A string without its end may have taken in all that follows.
  if (outcome !== 'stuck') return outcome
  const notation = {
    open: '{',
    close: '}',
    colon: ':',
    quotes: [quote, '"', "'"],
    quotesKeys: false,
    call: /\w\{\w+:/,
    isBare: true,
    endsAt: endsBefore(opening, '}\\]'),
  }
  const read = proposeMended(node, notation, (inner, own) =>
    readPseudo(inner, quote, node, { ...pen, ...own }, closers),
  )
  return yield* salvage(opening, node, from, outcome, read)
}

const maxDepth = 100
const maxKey = 257

/**
 * Reads `{key:value,…}` where strings stand between marks of the dialect's own and are raw inside, and writes JSON, the
 * last brace excepted. Ordinary quotes are understood too, and so are bare words, which the schema types.
 */
export function readPseudo(
  source: Source,
  quote: string,
  node: Node,
  pen: Pen,
  closers: readonly string[],
  opener = '',
): Step<Outcome> {
  return readContainer({ source, quote, pen, closers, opener }, node, 0)
}

interface Place {
  readonly source: Source
  readonly quote: string
  readonly pen: Pen
  readonly closers: readonly string[]
  /** What opens a call of this dialect. */
  readonly opener: string
}

function* readContainer(place: Place, node: Node, depth: number): Step<Outcome> {
  const { source, pen } = place
  const isObject = source.text.charCodeAt(source.at) === 123
  const close = isObject ? 125 : 93
  if (depth > maxDepth) return 'stuck'
  source.at++
  pen.write(isObject ? '{' : '[')
  const keys = new Set<string>()
  for (let count = 0; ; count++) {
    let code = yield* skipSpace(source)
    if (count > 0 && code === 44) {
      source.at++
      code = yield* skipSpace(source)
    } else if (count > 0 && code !== close) return code === -1 ? 'cut' : 'stuck'
    if (code === -1) return 'cut'
    if (code === close) {
      source.at++
      if (depth > 0) pen.write(isObject ? '}' : ']')
      return 'complete'
    }
    const lead = count > 0 ? ',' : ''
    let child = isObject ? node : node.item(count)
    if (isObject) {
      const key = yield* readKey(place)
      if (key === undefined) return source.at >= source.text.length ? 'cut' : 'stuck'
      if (keys.size === keys.add(key).size) return 'stuck'
      pen.write(`${lead}${JSON.stringify(key)}:`)
      child = node.property(key)
    } else pen.write(lead)
    const outcome = yield* readValue(place, child, depth)
    if (outcome !== 'complete') return outcome
  }
}

function* readKey({ source, quote }: Place): Step<string | undefined> {
  let key = ''
  const keep = (text: string): void => void (key += text)
  const isQuoted = (yield* stands(source, quote)) || (yield* peek(source)) === 34
  if (yield* take(source, quote)) {
    if (!(yield* readUntil(source, [quote], keep, () => take(source, quote)))) return undefined
  } else if (isQuoted) {
    const inside = yield* readWhole(source, 34)
    if (inside === undefined) return undefined
    key = decode(inside)
  } else key = ((yield* takeRun(source, maxKey, (code) => ':,}<{"'.includes(String.fromCharCode(code)))) ?? '').trim()
  if ((yield* skipSpace(source)) !== 58 || (key === '' && !isQuoted)) return undefined
  source.at++
  return key
}

function* readValue(place: Place, node: Node, depth: number): Step<Outcome> {
  const { source, quote, pen } = place
  const code = yield* skipSpace(source)
  if (code === -1) return 'cut'
  if (yield* take(source, quote)) {
    const string = writeString(node, pen)
    const write = (text: string): void => string.write(toJsonText(text))
    if (!(yield* readText(place, write))) return 'cut'
    const next = yield* skipSpace(source)
    if (next !== 44 && next !== 125 && next !== 93) return next === -1 ? 'cut' : 'stuck'
    pen.write(string.end())
    return 'complete'
  }
  if (code === 123 || code === 91) return yield* readContainer(place, node, depth + 1)
  if (code !== 34 && code !== 39) return yield* readBare(place, node)
  const inner = yield* readWhole(source, code)
  if (inner === undefined) return 'cut'
  writeCoerced(node, `"${inner}"`, pen)
  return 'complete'
}

/** A string up to and with its own mark: those of a call that it quotes are its text. */
function readText({ source, quote, opener, closers }: Place, write: (text: string) => void): Step<boolean> {
  let depth = 0
  const pass = (mark: string): boolean => {
    write(mark)
    return false
  }
  const ends = function* (): Step<boolean> {
    if (depth === 0 && (yield* take(source, quote))) return true
    if (opener !== '' && (yield* look(source, () => opensCall(source, opener)))) depth++
    const closer = depth > 0 ? yield* takeAny(source, closers) : undefined
    if (closer === undefined) return false
    depth--
    return pass(closer)
  }
  return readUntil(source, [quote, opener, ...closers], write, ends)
}

/** An opener alone is a word. */
function* opensCall(source: Source, opener: string): Step<boolean> {
  if (!(yield* take(source, opener))) return false
  const name = yield* takeRun(source, maxKey, (code) => !/[\w.:-]/.test(String.fromCharCode(code)))
  return name !== undefined && name !== '' && (yield* peek(source)) === 123
}

/** A number, a word, or text without its quotes, up to what ends a value. */
function* readBare({ source, pen, quote, closers }: Place, node: Node): Step<Outcome> {
  let text = ''
  const ends = [',', '}', ']', quote, ...closers]
  if (!(yield* readUntil(source, ends, (piece) => void (text += piece)))) return 'cut'
  const bare = text.trim()
  // A quote or a bracket was lost.
  const isLost = bare === '' || (yield* standsAny(source, [quote, ...closers])) || /["'{[]/.test(bare)
  if (isLost) return 'stuck'
  const { json } = coerceText(node, bare)
  // Text where none may stand took in what follows it.
  if (json.startsWith('"') && node.declared && (node.types & Kind.string) === 0) return 'stuck'
  pen.write(json)
  return 'complete'
}
