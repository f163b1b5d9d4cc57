import { Kind, type Node } from '../../../schema/node.ts'
import type { Glance } from '../../text/pen.ts'
import { nextWord, type Source } from '../../text/source.ts'
import { endOfString } from '../../text/strings.ts'
import { isItemStart, isMember, maxKey, type Place } from './quotes.ts'

/* What can be told of strings without looking ahead: a damaged value may have a quote in every second character. */

const quote = 34
const comma = 44
const colon = 58
const backslash = 92

/** Whether the quote that stands next, with a comma behind it, ends a value: what `endsValue` says, if it is at hand. */
export function endsAtHand({ text, at }: Source, place: Place | undefined, isDamaged: boolean, inner: number): Glance {
  const after = nextWord(text, at + 1)
  if (after === text.length) return 'wait'
  if (text.charCodeAt(after) !== comma) return 'look'
  const isList = place?.array !== false
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
 * item. The first was counted; -1 where it is none such.
 */
export function endOfItems(text: string, from: number, list: { readonly node: Node; count: number }): number {
  let [at, last] = [from, -1]
  for (let index = list.count - 1; ; index++) {
    const { declared, types } = list.node.item(index)
    const end = !declared || (types & Kind.string) !== 0 ? endOfString(text, at) : -1
    const next = end < 0 ? text.length : nextWord(text, end)
    at = nextWord(text, next + 1)
    if (text.charCodeAt(next) !== comma || !isItemStart(text.charCodeAt(at))) return last
    list.count = index + 1
    last = end
    if (text.charCodeAt(at) !== quote) return last
  }
}
