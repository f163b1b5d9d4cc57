import type { Node } from '../../schema/node.ts'
import { findAlike } from '../marks/names.ts'
import { argumentsKeys, nameKeys, otherKeys } from '../marks/vocabulary.ts'
import type { Pen } from '../text/pen.ts'

/** Names models give to an object, or an element, around the arguments proper. */
export const wrappers: ReadonlySet<string> = new Set([...argumentsKeys, 'properties'])

/** What becomes of a member whose name the model wrote as `key`. */
export interface Member {
  /** Its name in the schema, or as written where the schema has none. Undefined: the schema forbids it, leave it out. */
  readonly name: string | undefined
  readonly node: Node
}

/**
 * Finds the property meant by a key: as written, else the one that differs only in case or in `-` and `_`. A key that is
 * forbidden is left out, because the tool would refuse the whole call for it.
 */
export function memberFor(node: Node, key: string, pen: Pen): Member {
  if (node.hasProperty(key)) {
    const child = node.property(key)
    if (child.types !== 0) return { name: key, node: child }
    pen.note('member_dropped', key)
    return { name: undefined, node: child }
  }
  const alike = findProperty(node, key)
  if (alike !== undefined) {
    pen.note('key_corrected', `${key} to ${alike}`)
    return { name: alike, node: node.property(alike) }
  }
  if (!node.closed) return { name: key, node: node.property(key) }
  pen.note('member_dropped', key)
  return { name: undefined, node: node.property(key) }
}

/** The declared property a key means, however it is spelt. */
export function findProperty(node: Node, key: string): string | undefined {
  return node.hasProperty(key) ? key : findAlike(node.properties, key)
}

/** Whether arguments have all that a tool needs and nothing it does not know. */
export function isFitting(node: Node, json: string): boolean {
  const keys = Object.keys(JSON.parse(json) as object)
  return keys.every((key) => node.hasProperty(key)) && node.required.every((key) => keys.includes(key))
}

/** Whether a sole member of this name only wraps the arguments proper. */
export function isWrapper(node: Node, key: string): boolean {
  return wrappers.has(key) && node.properties.length > 0 && !node.hasProperty(key)
}

/** Whether a member of this name says which call it is, as those of an envelope do, and is no argument. */
export function isAboutCall(node: Node, key: string): boolean {
  return (
    (nameKeys.has(key) || otherKeys.has(key)) && node.properties.length > 0 && findProperty(node, key) === undefined
  )
}
