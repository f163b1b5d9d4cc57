import { coerceText } from '../../schema/coerce.ts'
import { Kind, type Node } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import { openerOf } from '../marks/template.ts'
import { think } from '../marks/vocabulary.ts'
import { peek, skipSpace, stands, standsAny, take, takeAny, takeRun } from '../text/literals.ts'
import { ignore, type Pen, writeCoerced, writeString } from '../text/pen.ts'
import { Pieces } from '../text/pieces.ts'
import { attempt, look } from '../text/running.ts'
import { isSpace, type Source, type Step } from '../text/source.ts'
import { decode, readWhole } from '../text/strings.ts'
import { passing, readUntil, toJsonText } from '../text/value.ts'
import type { Outcome } from './json/json.ts'
import { type ArgumentsForm, type Opening, readObject } from './opening.ts'

/** JSON with a mark of the dialect's own around strings. */
export const pseudoForm: ArgumentsForm = { read: readPseudoForm }

function readPseudoForm(opening: Opening): Step<Outcome> {
  const { context, dialect, begin, closers, next } = opening
  const spec = dialect.grammar.arguments
  if (spec.as !== 'pseudo' || next !== 123) return readObject(opening)
  const [opener = ''] = dialect.grammar.call.open.map(openerOf)
  return readPseudo(context.source, spec.quote, begin(), context.pen, closers, opener, context)
}

const maxDepth = 100
const maxKey = 257

/**
 * Reads `{key:value,…}` where strings stand between marks of the dialect's own and are raw inside, and writes JSON, the
 * last brace excepted. Ordinary quotes are understood too, and so are bare words, which the schema types.
 */
export function* readPseudo(
  source: Source,
  quote: string,
  node: Node,
  pen: Pen,
  closers: readonly string[],
  opener = '',
  context: Place['context'] = { endedWell: false, missing: new Set(), forms: {} },
): Step<Outcome> {
  const ends = [...closers, ...(opener === '' ? [] : [opener, ...think.open])]
  return yield* readContainer({ source, quote, pen, closers, opener, ends, context }, node, 0, true)
}

interface Place {
  readonly source: Source
  readonly quote: string
  readonly pen: Pen
  readonly closers: readonly string[]
  /** What opens a call of this dialect. */
  readonly opener: string
  /** What ends a call of this dialect, the opener of the next and that of a thought included. */
  readonly ends: readonly string[]
  readonly context: Pick<Context, 'endedWell' | 'missing' | 'forms'>
}

function* readContainer(place: Place, node: Node, depth: number, open: boolean): Step<Outcome> {
  const { source, pen } = place
  const object = source.text.charCodeAt(source.at) === 123
  if (depth > maxDepth) return 'stuck'
  source.at++
  pen.write(object ? '{' : '[')
  for (let count = 0; ; ) {
    const code = yield* skipSpace(source)
    if (code === -1) return 'cut'
    // A brace in a list is that of the object around it: the list's own bracket is missing.
    const isClosed = yield* standsAny(source, place.closers)
    const early = (!object && code === 125) || isClosed
    // Another call begins, or nothing came where something is needed.
    const isEmpty = isClosed && depth === 0 && count === 0 && node.required.length > 0
    if (isEmpty || (!isClosed && (yield* standsAny(source, place.ends)))) return 'stuck'
    if (code === (object ? 125 : 93) || early) {
      if (early) pen.note('closer_missing', object ? '}' : ']')
      else source.at++
      if (!open) pen.write(object ? '}' : ']')
      return 'complete'
    }
    if (code === 44) {
      source.at++
      continue
    }
    if (count > 0) pen.write(',')
    let child = object ? node : node.item(count)
    count++
    if (object) {
      const key = yield* readKey(place)
      if (key === undefined) return source.at >= source.text.length ? 'cut' : 'stuck'
      pen.write(`${JSON.stringify(key)}:`)
      child = node.property(key)
    }
    const outcome = yield* readValue(place, child, depth)
    if (outcome !== 'complete') return outcome
  }
}

function* readKey(place: Place): Step<string | undefined> {
  const { source, quote } = place
  let key = ''
  const keep = (text: string): void => void (key += text)
  const quoted = (yield* stands(source, quote)) || (yield* peek(source)) === 34
  if (yield* take(source, quote)) {
    if (!(yield* readUntil(source, quote.charAt(0), () => take(source, quote), keep))) return undefined
  } else if (quoted) {
    const inside = yield* readWhole(source, 34)
    if (inside === undefined) return undefined
    key = decode(inside)
  } else key = ((yield* takeRun(source, maxKey, (code) => code === 58 || code === 125 || code === 60)) ?? '').trim()
  // A string that ended at a mark it only quoted.
  if (key.includes(quote)) return undefined
  if ((yield* skipSpace(source)) !== 58 || (key === '' && !quoted)) return undefined
  source.at++
  return key
}

function* readValue(place: Place, node: Node, depth: number): Step<Outcome> {
  const { source, quote, pen } = place
  const code = yield* skipSpace(source)
  if (code === -1) return 'cut'
  if (yield* take(source, quote)) return yield* readRaw(place, node, depth + 1)
  if (code === 123 || code === 91) return yield* readContainer(place, node, depth + 1, false)
  if (code === 34 || code === 39) {
    const inner = yield* readWhole(source, code)
    if (inner === undefined) return 'cut'
    writeCoerced(node, `"${inner}"`, pen)
    if (yield* take(source, quote)) pen.note('mark_dropped', quote)
    return 'complete'
  }
  return yield* readBare(place, node)
}

/** A string between the dialect's marks: raw. */
function* readRaw(place: Place, node: Node, open: number): Step<Outcome> {
  const { source, quote, pen } = place
  const string = writeString(node, pen)
  const write = (text: string): void => string.write(toJsonText(text))
  // Most are all there, and nothing in them looks like a mark.
  const end = source.text.indexOf(quote.charAt(0), source.at)
  if (end >= 0 && source.text.startsWith(quote, end)) {
    if (end > source.at) write(source.text.slice(source.at, end))
    source.at = end + quote.length
  } else {
    const outcome = yield* readInner(place, open, write)
    if (outcome !== 'complete') return outcome
  }
  string.end()
  return 'complete'
}

/**
 * Text up to and with the mark that ends it. Where that is missing in the last call of an answer, the brackets of what is
 * `open` around it are not the text's.
 */
function* readInner(place: Place, open: number, write: (text: string) => void): Step<Outcome> {
  const { source, quote, pen } = place
  const held = new Pieces()
  const push = (text: string): void => {
    let tail = text.length
    while (tail > 0 && isLayout(text.charCodeAt(tail - 1))) tail--
    if (tail > 0) {
      write(held.toString() + text.slice(0, tail))
      held.clear()
    }
    held.push(text.slice(tail))
  }
  let isMissing = false
  // Said as a cast, because it is set inside the generator, where the compiler does not look.
  let hasCall = false as boolean
  const ends = function* (): Step<boolean> {
    if (yield* take(source, quote)) return true
    let begins = false as boolean
    const quoted = yield* attempt(source, () => takeQuoted(place, () => void (begins = true)))
    if (quoted !== undefined) {
      push(quoted)
      return false
    }
    hasCall ||= begins
    isMissing = held.length > 0 && held.toString().includes('}') && (yield* isLastCloser(place))
    return isMissing
  }
  const marks = [quote, place.opener, ...place.closers].filter((mark) => mark !== '')
  const repetition = place.context.forms.repetition?.(source, { state: () => held.toString() })
  if (!(yield* readUntil(source, quote.charAt(0), ends, push, passing(marks), repetition))) return 'cut'
  if (hasCall) return 'stuck'
  const last = held.toString()
  const end = isMissing ? beforeBrackets(last, open) : last.length
  if (end > 0) write(last.slice(0, end))
  if (isMissing) {
    pen.note('closer_missing', quote)
    source.goTo(source.position - (last.length - end))
  }
  return 'complete'
}

/**
 * Takes calls that the text quotes, marks and all, and what follows them up to the text's own end. One that has no such end
 * is the next call: `tell` is told.
 */
function* takeQuoted(
  { source, quote, closers, opener, context: { missing } }: Place,
  tell: () => void,
): Step<string | undefined> {
  const start = source.position
  if (opener === '' || !(yield* take(source, opener))) return undefined
  // An opener alone is a word.
  const name = yield* takeRun(source, maxKey, (code) => code === 123 || code === 60 || isSpace(code))
  if (name === '' || source.text.charCodeAt(source.at) !== 123) return undefined
  tell()
  if (missing.has(opener)) return undefined
  let depth = 1
  const ends = function* (): Step<boolean> {
    if (yield* take(source, opener)) depth++
    else if ((yield* takeAny(source, closers)) !== undefined) depth--
    return depth < 0 || (depth === 0 && (yield* stands(source, quote)))
  }
  const passes = passing([quote, opener, ...closers])
  if (!(yield* readUntil(source, quote.charAt(0), ends, ignore, passes))) missing.add(opener)
  else if (depth === 0) return source.since(start)
  return undefined
}

function isLayout(code: number): boolean {
  return code === 125 || code === 93 || isSpace(code)
}

/** Where the last so many brackets of a text begin. */
function beforeBrackets(text: string, count: number): number {
  let at = text.length
  for (let left = count; left > 0 && at > 0; at--) if (/[}\]]/.test(text.charAt(at - 1))) left--
  return at
}

/** Whether the call's closer stands here and nothing after it. Takes nothing. */
function* isLastCloser({ source, closers, context }: Place): Step<boolean> {
  return yield* look(source, function* () {
    const isCloser = (yield* takeAny(source, closers)) !== undefined
    return isCloser && (yield* skipSpace(source)) === -1 && context.endedWell
  })
}

/** A number, a word, or text without its quotes, up to what ends a value. */
function* readBare({ source, pen, ends }: Place, node: Node): Step<Outcome> {
  let text = ''
  const all = [',', '}', ']', ...ends]
  const starts = all.map((end) => end.charAt(0)).join('')
  const push = (piece: string): void => void (text += piece)
  if (!(yield* readUntil(source, starts, () => standsAny(source, all), push))) return 'cut'
  // Where the next call stands, no value came.
  if (text.trim() === '' && (yield* peek(source)) === 60) return 'stuck'
  // Several lines are no number, and words that were not asked for.
  if (text.trim().includes('\n') && node.declared && (node.types & Kind.string) === 0) return 'stuck'
  pen.write(coerceText(node, text.trim()).json)
  return 'complete'
}
