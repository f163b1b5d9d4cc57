import { Kind, type Node } from '../../../schema/node.ts'
import { endOfSpace } from '../../text/source.ts'
import { endOfString } from '../../text/strings.ts'

const maxDepth = 32
const quote = 34
const comma = 44
const colon = 58

/**
 * Where an object or array ends that stands here, is all there, strict, and as the schema wants it, so that it can leave as
 * it is; -1 for any other, which is read with more care. `isOver`: no text comes after this. Most are such where text comes
 * in large pieces, and a reader that may have to wait costs ten times as much: `bench/sweep.ts` shows it.
 */
export function endOfPlain(text: string, from: number, node: Node, isOver: boolean): number {
  const end = endOfContainer(text, from, node, 0)
  if (end < 0) return end
  // A quote behind the last brackets says that the one before them ended no string.
  let after = endOfSpace(text, end)
  while (isCloser(text.charCodeAt(after))) after = endOfSpace(text, after + 1)
  const next = text.charCodeAt(after)
  return (after === text.length && !isOver) || next === quote || next === 39 ? -1 : end
}

function endOfContainer(text: string, from: number, node: Node, depth: number): number {
  const isObject = text.charCodeAt(from) === 123
  const close = isObject ? 125 : 93
  const kind = isObject ? Kind.object : Kind.array
  if ((!isObject && text.charCodeAt(from) !== 91) || (node.types & kind) === 0 || depth === maxDepth) return -1
  let at = endOfSpace(text, from + 1)
  if (text.charCodeAt(at) === close) return at + 1
  for (let count = 0; ; count++) {
    let member: Node | undefined
    if (isObject) {
      const end = endOfString(text, at)
      const key = text.slice(at + 1, end - 1)
      if (end < 0 || key.includes('\\')) return -1
      at = endOfSpace(text, end)
      if (text.charCodeAt(at) !== colon) return -1
      at = endOfSpace(text, at + 1)
      member = memberOf(node, key)
    } else member = node.item(count)
    at = member === undefined ? -1 : endOfValue(text, at, member, depth + 1)
    if (at < 0) return -1
    at = endOfSpace(text, at)
    const next = text.charCodeAt(at)
    if (next === close) return at + 1
    if (next !== comma) return -1
    at = endOfSpace(text, at + 1)
  }
}

/** The node of a member that stays as it is. */
function memberOf(node: Node, key: string): Node | undefined {
  const isFree = node.properties.length === 0 && !node.closed
  if (!isFree && !node.hasProperty(key)) return undefined
  const member = node.property(key)
  return member.types === 0 ? undefined : member
}

const word = /(?:-?(?:0|[1-9]\d{0,14})|(true|false)|(null))(?=[\s,}\]])/y

function endOfValue(text: string, from: number, node: Node, depth: number): number {
  const code = text.charCodeAt(from)
  if (code === quote) return (node.types & Kind.string) === 0 ? -1 : endOfString(text, from)
  if (code === 123 || code === 91) return endOfContainer(text, from, node, depth)
  word.lastIndex = from
  const found = word.exec(text)
  if (found === null || node.values !== undefined) return -1
  const kind = found[1] !== undefined ? Kind.boolean : found[2] !== undefined ? Kind.null : Kind.integer
  return (node.types & kind) === 0 ? -1 : word.lastIndex
}

function isCloser(code: number): boolean {
  return code === 125 || code === 93
}
