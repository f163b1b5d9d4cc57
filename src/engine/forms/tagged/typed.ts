import type { Coerced } from '../../../schema/coerce.ts'
import { coerceText } from '../../../schema/coerce.ts'
import { readElements } from '../../../schema/nested.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { openerOf } from '../../marks/template.ts'
import type { Pen } from '../../text/pen.ts'
import { decodeEntities } from '../../text/value.ts'
import type { Tagged } from './marks.ts'

/** The text between an argument's tags. */
export interface Written {
  readonly spec: Tagged
  readonly text: string
  /** It stood in CDATA, which says that a text is meant. */
  readonly isText: boolean
}

/** A value as JSON, as the schema wants it. */
export function toTyped(written: Written, node: Node, pen: Pen): string {
  const { spec, text, isText } = written
  if (isText && (!node.declared || (node.types & Kind.string) !== 0)) return JSON.stringify(text)
  const elements = readElements(plainTags(spec, text), node, decoderOf(spec))
  if (elements !== undefined) return elements
  const { json, changed } = unescaped(node, textOf(written))
  if (changed !== undefined) pen.note('coerced', changed)
  return json
}

function decoderOf(spec: Tagged): (text: string) => string {
  return spec.entities === true ? decodeEntities : (text) => text
}

/** Children of a value carry the same prefix before their tags as the value does. */
function plainTags(spec: Tagged, text: string): string {
  const prefix = openerOf(spec.open).slice(0, -1)
  return prefix !== '' && openerOf(spec.open).endsWith('<') ? text.replaceAll(prefix, '') : text
}

/** JSON that arrived with its quotes escaped once too often is read without the escapes. */
function unescaped(node: Node, text: string): Coerced {
  const coerced = coerceText(node, text)
  if (!text.includes('\\"') || !coerced.json.startsWith('"') || (node.types & Kind.string) !== 0) return coerced
  try {
    return coerceText(node, JSON.parse(`"${text}"`) as string)
  } catch {
    // It was not JSON inside a string after all.
    return coerced
  }
}

/** The text of a value that is no element. */
export function textOf({ spec, text, isText }: Written): string {
  return isText ? text : decoderOf(spec)(text)
}

/** Whether a value is one of a list that is written as one element an item, as XML does it. */
export function isListItem({ spec, text, isText }: Written, node: Node): boolean {
  if (!node.declared || (node.types & ~Kind.null) !== Kind.array) return false
  return isText ? !/^\s*\[/.test(text) : !/^\s*(?:\[|<|null\s*$|$)/.test(plainTags(spec, text))
}

/** A list of which the items, or its one text, were written each in an element of its own. */
export function toList(node: Node, items: readonly string[], pen: Pen): string {
  const [first = '', ...others] = items
  const lone = others.length === 0 ? coerceText(node, first) : undefined
  if (lone?.changed !== undefined) pen.note('coerced', lone.changed)
  return lone?.json ?? `[${items.map((text, i) => coerceText(node.item(i), text).json).join(',')}]`
}
