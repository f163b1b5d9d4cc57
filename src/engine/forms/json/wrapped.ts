import type { Node } from '../../../schema/node.ts'
import { argumentsKeys } from '../../marks/vocabulary.ts'
import { skipSpace, take, takeRow } from '../../text/literals.ts'
import type { Pen } from '../../text/pen.ts'
import { known, later, no } from '../../text/running.ts'
import type { Source, Step } from '../../text/source.ts'
import { readWhole } from '../../text/strings.ts'
import { isAboutCall, isWrapper } from '../members.ts'

const quote = 34
const maxAhead = 256

/**
 * From behind a key up to the arguments proper, in an object that begins with a key the schema knows. What is around them may
 * say first which call it is: `{"name": "run", "arguments": {`.
 */
export function* takeToOwnKey(source: Source, node: Node, first: string): Step<boolean> {
  let key = first
  while (isAboutCall(node, key)) {
    if (!(yield* takeRow(source, [':'])) || (yield* skipSpace(source)) !== quote) return false
    const value = yield* readWhole(source, quote)
    if (value === undefined || !(yield* takeRow(source, [','])) || (yield* skipSpace(source)) !== quote) return false
    key = (yield* readWhole(source, quote)) ?? ''
  }
  // What follows a type may be a schema, with its properties: an envelope has arguments.
  if (!isWrapper(node, key) || (key !== first && !argumentsKeys.has(key))) return false
  if (!(yield* takeRow(source, [':'])) || (yield* skipSpace(source)) !== 123) return false
  return (yield* beginsArguments(source, node)) && (yield* take(source, '{'))
}

/** Whether the value behind a key names another call, which stands where arguments should. */
export function* namesCall(source: Source, key: string, pen: Pen): Step<boolean> {
  if (!(yield* takeRow(source, [':'])) || (yield* skipSpace(source)) !== quote) return false
  const value = yield* readWhole(source, quote)
  return pen.callIn?.(`{${key}: "${value}"`) === 0
}

/** Whether the object that stands next begins with a property the schema knows. */
export function beginsArguments(source: Source, node: Node): Step<boolean> {
  return startsWithOwnKey(source, node) ?? later(source, startsWithOwnKey, node)
}

function startsWithOwnKey({ text, at, ended }: Source, node: Node): Step<boolean> | undefined {
  const ahead = text.slice(at, at + maxAhead)
  const key = /^\{\s*"([^"\\]{1,128})"/.exec(ahead)
  if (key?.[1] !== undefined) return known(node.hasProperty(key[1]))
  return ended || ahead.length === maxAhead || !/^\{\s*(?:"[^"\\]*)?$/.test(ahead) ? no : undefined
}
