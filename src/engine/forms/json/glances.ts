import { Kind, type Node } from '../../../schema/node.ts'
import type { Quoted } from '../../text/pen.ts'
import { no, yes } from '../../text/running.ts'
import { nextWord, type Source, type Step } from '../../text/source.ts'
import { endOfRow, endOfString, nearOf } from '../../text/strings.ts'
import { isItemStart, isMember, maxKey, mayEnd } from './quotes.ts'

/* What can be told of strings without looking ahead: a damaged value may have a quote in every second character. */

const quote = 34
const comma = 44
const colon = 58
const backslash = 92

/** More than this is not waited for: it is looked at again with every piece. */
const nearby = 64

type Write = (json: string) => void
type Look = () => Step<boolean>

/** Whether the quote that stands next ends a value. Of several in a row only the last may; the others are taken. */
export function ends(source: Source, quoted: Quoted, write: Write, look: Look): Step<boolean> {
  return endsNow(source, quoted, write, look) ?? awaitEnd(source, quoted, write, look)
}

function* awaitEnd(source: Source, quoted: Quoted, write: Write, look: Look): Step<boolean> {
  for (;;) {
    yield
    const step = endsNow(source, quoted, write, look)
    if (step !== undefined) return yield* step
  }
}

/** Undefined where a little more text will tell. */
function endsNow(source: Source, quoted: Quoted, write: Write, look: Look): Step<boolean> | undefined {
  const row = quoted.inner === 0 ? 0 : endOfRow(source) - source.at
  if (row > 0) write((source.text.charCodeAt(source.at) === quote ? '\\"' : "'").repeat(row))
  source.at += row
  quoted.inner += row
  const isLast = endsAtHand(source, quoted)
  if (isLast === 'wait' && mayWait(source)) return undefined
  if (typeof isLast !== 'boolean' || (!isLast && quoted.inner === 0)) return look()
  if (!isLast) quoted.inner++
  return isLast ? yes : no
}

function mayWait({ text, at, ended }: Source): boolean {
  return !ended && text.length - at < nearby
}

/** What `endsValue` says, if that is at hand; else that a little more text will tell, or that one has to look. */
function endsAtHand(source: Source, { place, closers, inner }: Quoted): boolean | 'wait' | 'look' {
  const { text, at } = source
  const near = nearOf(source)
  if (near !== undefined && !mayEnd(source, near, place, closers)) return false
  const after = nextWord(text, at + 1)
  if (after === text.length) return 'wait'
  if (text.charCodeAt(after) !== comma) return 'look'
  const isList = place?.array !== false
  const isDamaged = inner > 0 || place?.isDamaged === true
  if (isList && !isDamaged) return true
  const next = nextWord(text, after + 1)
  if (next === text.length) return 'wait'
  const code = text.charCodeAt(next)
  if (code === 125 || code === 93) return true
  if (code === 47 || code > 127) return 'look'
  if (isList) return isItemStart(code)
  if (code !== quote) return 'look'
  for (let end = next + 1; end < text.length; end++) {
    const sign = text.charCodeAt(end)
    if (sign === 10) return false
    if (sign === backslash || end - next > maxKey) return 'look'
    if (sign !== quote) continue
    const then = nextWord(text, end + 1)
    if (then === text.length) return 'wait'
    return text.charCodeAt(then) === colon && isMember(place, inner, text.slice(next + 1, end))
  }
  return 'wait'
}

/**
 * Where the last of a row of strings ends that begins here, in a list: each all there, strict, wanted, and before another
 * item. The first was counted. -1 where it is none such; 0 where more text will tell, and others of the list were damaged.
 */
export function endOfItems(
  source: Source,
  list: { readonly node: Node; readonly isDamaged: boolean; count: number },
): number {
  const { text } = source
  let [at, last] = [source.at, -1]
  for (let index = list.count - 1; ; index++) {
    const { declared, types } = list.node.item(index)
    const end = !declared || (types & Kind.string) !== 0 ? endOfString(text, at) : -1
    const next = end < 0 ? text.length : nextWord(text, end)
    at = nextWord(text, next + 1)
    if (text.charCodeAt(next) !== comma || !isItemStart(text.charCodeAt(at))) {
      const isOpen = last < 0 && list.isDamaged && (end < 0 ? isInside(source) : at >= text.length)
      return isOpen && mayWait(source) ? 0 : last
    }
    list.count = index + 1
    last = end
    if (text.charCodeAt(at) !== quote) return last
  }
}

/** A string has begun here, and all that is at hand is its inside. */
function isInside({ text, at }: Source): boolean {
  const plain = /"[^"\\]*$/y
  plain.lastIndex = at
  return plain.test(text)
}
