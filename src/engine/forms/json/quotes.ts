import { Kind, type Node } from '../../../schema/node.ts'
import { charsOf, mayStandAt } from '../../text/literals.ts'
import { Pieces } from '../../text/pieces.ts'
import { look, more, no, yes } from '../../text/running.ts'
import { endOfSpace, nextWord, type Source, type Step } from '../../text/source.ts'
import { endOfString } from '../../text/strings.ts'
import { findProperty } from '../members.ts'

const comma = 44
const slash = 47
const colon = 58
const backslash = 92
const maxKey = 128
/** As long as no more is at hand, each piece is looked at anew. What is further away is gathered first. */
const nearby = 64

/** What a string stands in. */
export interface Place {
  readonly array: boolean
  readonly node: Node
  /** A string in it has quotes the model forgot to escape. */
  readonly isDamaged: boolean
}

/** A string being read. */
export interface Quoted {
  /** What it stands in. */
  readonly place: Place | undefined
  /** What ends all of that. */
  readonly closers: readonly string[]
  /** How many quotes in it should have been escaped. */
  inner: number
  /** It ended where an operator or another string joins it to more. */
  isJoined: boolean
}

/** What a quote is, by the text behind it; undefined where more of that will tell. */
type Verdict = 'last' | 'inner' | 'joined' | undefined

/** Whether the quote that stands next ends a string. */
export function ends(source: Source, quoted: Quoted): Step<boolean> {
  const verdict = judge(source.text, source.at, source.ended, quoted)
  if (verdict === undefined) return awaitEnd(source, quoted)
  return settle(quoted, verdict) ? yes : no
}

function settle(quoted: Quoted, verdict: Verdict): boolean {
  if (verdict === 'inner') quoted.inner++
  quoted.isJoined = verdict === 'joined'
  return verdict !== 'inner'
}

function* awaitEnd(source: Source, quoted: Quoted): Step<boolean> {
  while (source.text.length - source.at < nearby) {
    yield
    const verdict = judge(source.text, source.at, source.ended, quoted)
    if (verdict !== undefined) return settle(quoted, verdict)
  }
  return settle(quoted, yield* look(source, () => judgeFar(source, quoted)))
}

function* judgeFar(source: Source, quoted: Quoted): Step<Verdict> {
  const ahead = new Pieces()
  for (let wanted = 0; ; yield* more(source)) {
    ahead.push(source.text.slice(source.at))
    source.at = source.text.length
    if (ahead.length < wanted && !source.ended) continue
    const verdict = judge(ahead.toString(), 0, source.ended, quoted)
    if (verdict !== undefined) return verdict
    wanted = 2 * ahead.length
  }
}

function judge(text: string, at: number, isOver: boolean, quoted: Quoted): Verdict {
  const isLast = endsValue(text, at, isOver, quoted)
  if (isLast !== false) return isLast && 'last'
  const isJoined = quoted.inner === 0 && joins(text, at, isOver)
  return isJoined === undefined ? undefined : isJoined ? 'joined' : 'inner'
}

/**
 * Where a string ends that is wanted, all there and plain, by what follows it; in a list the last of several. -1 for any
 * other, which is read with more care.
 */
export function endOfPlainStrings(
  source: Source,
  first: Node,
  place: (Place & { count: number }) | undefined,
  closers: readonly string[],
): number {
  const { text, ended } = source
  const quoted = { place, closers, inner: 0, isJoined: false }
  let [at, last, node] = [source.at, -1, first]
  for (;;) {
    const end = !node.declared || (node.types & Kind.string) !== 0 ? endOfString(text, at) : -1
    if (end < 0 || judge(text, end - 1, ended, quoted) !== 'last') return last
    if (last > 0 && place !== undefined) place.count++
    last = end
    at = nextWord(text, end)
    if (place?.array !== true || text.charCodeAt(at) !== comma) return last
    at = nextWord(text, at + 1)
    node = place.node.item(place.count)
  }
}

/**
 * Whether a quote ends a value: what must follow one follows. In an object that is the next key with its colon, after an odd
 * number of quotes that should have been escaped one the schema knows; or the end of the object, and then no quote.
 */
function endsValue(text: string, at: number, isOver: boolean, quoted: Quoted): boolean | undefined {
  const { place, closers, inner } = quoted
  const isDamaged = inner > 0 || place?.isDamaged === true
  const after = endOfSpace(text, at + 1)
  const isNear = after === at + 1
  const sign = text.charAt(after)
  if (sign === '') return isOver || undefined
  if (sign === ',') {
    // Whatever comes after the comma of a list.
    return (place?.array !== false && !isDamaged) || beginsMember(text, after + 1, isOver, quoted, isDamaged)
  }
  // Inside an object a list cannot end: `[ "$a" = "b" ]`.
  if (sign === ']' && isDamaged && place?.array === false) return false
  if (sign === '}' || sign === ']') return endsObject(text, after, isOver, isDamaged)
  if (sign === '/') return after + 1 < text.length || isOver ? /[/*]/.test(text.charAt(after + 1)) : undefined
  // Quotes in a row are not the end of one string and the beginning of another.
  const mayFollow = isQuote(sign) ? !isNear : '<['.includes(sign) || closers.some((closer) => closer.startsWith(sign))
  if (!mayFollow) return false
  const closer = closers.find((mark) => mayStandAt(text, after, mark))
  if (closer !== undefined && text.startsWith(closer, after)) return true
  if (closer !== undefined && !isOver) return undefined
  // A comma that was forgotten: there is white space in its place.
  return place === undefined || (!isNear && beginsMember(text, after, isOver, quoted, isDamaged))
}

function isQuote(sign: string): boolean {
  return sign === '"' || sign === "'"
}

/**
 * Whether a quote ends a string that an operator or another string joins to more, as in code: `"a" + b`. Nobody can tell
 * that from one long string with quotes in it.
 */
function joins(text: string, at: number, isOver: boolean): boolean | undefined {
  const after = endOfSpace(text, at + 1)
  const sign = text.charAt(after)
  if (isQuote(sign)) return after > at + 1
  if (!'|?'.includes(sign)) return sign === '+'
  return after + 1 < text.length || isOver ? sign !== '' && text.charAt(after + 1) === sign : undefined
}

/** Whether a member, or an item, or the end of what holds them follows. */
function beginsMember(
  text: string,
  from: number,
  isOver: boolean,
  { place, inner }: Quoted,
  isDamaged: boolean,
): boolean | undefined {
  const start = endOfGap(text, from)
  const code = text.charCodeAt(start)
  const isHalf = code === slash && start + 1 === text.length
  if (start === text.length || isHalf) return isOver || undefined
  if (code === 125 || code === 93) return true
  if (place?.array !== false) return !isDamaged || isItemStart(code)
  const end = endOfKey(text, start, isDamaged ? maxKey : Infinity)
  if (end < 0) return false
  const after = endOfSpace(text, end)
  if (after === text.length) return isOver || undefined
  if (text.charCodeAt(after) !== colon) return false
  // Quotes in pairs are words in quotes, and what follows them as a member is one; after an odd one it must be declared.
  if (inner % 2 === 0 || place.node.properties.length === 0) return true
  return findProperty(place.node, text.slice(start, end).replace(/^(["'])(.*)\1$/, '$2')) !== undefined
}

const isItemStart = charsOf(/["{[\dtfn-]/i)

const white = /[\s\u200b]*/y
/** One that is longer than any is none, so that many that never end are not looked through. */
const comment = /\/\/[^\n\r]*[\n\r]?|\/\*.{0,4096}?(?:\*\/|$)/sy

/** Where white space and comments end. */
function endOfGap(text: string, from: number): number {
  white.lastIndex = from
  white.test(text)
  comment.lastIndex = white.lastIndex
  return comment.test(text) ? endOfGap(text, comment.lastIndex) : white.lastIndex
}

/** Where a key ends, quoted or bare, if it ends at all; -1 where there is none. */
function endOfKey(text: string, from: number, most: number): number {
  const quote = text.charCodeAt(from)
  let at = from
  if (quote !== 34 && quote !== 39) {
    while (at < text.length && isWord(text.charCodeAt(at))) at++
    return at - from > most ? -1 : at
  }
  for (let start = ++at; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) start = ++at + 1
    else if (code === 10 || at - start >= most) return -1
  }
  return text.length
}

/** Whether brackets close what is open here: no quote comes after them, nor a parenthesis, which code has there. */
function endsObject(text: string, from: number, isOver: boolean, isDamaged: boolean): boolean | undefined {
  for (let at = from; ; at++) {
    const before = at
    at = endOfSpace(text, at)
    const code = text.charCodeAt(at)
    if (at >= text.length) return isOver || undefined
    if (code === 41) return !isDamaged
    if (code !== 125 && code !== 93) return (code !== 34 && code !== 39) || (at > before && !isDamaged)
  }
}

const isWord = charsOf(/[\w$-]/)
