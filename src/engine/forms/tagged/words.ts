import { isTextOnly } from '../../../schema/coerce.ts'
import type { Node } from '../../../schema/node.ts'
import { standsAny, take } from '../../text/literals.ts'
import type { Step } from '../../text/source.ts'
import { createDecoder, createLayout, readUntil, toJsonText } from '../../text/value.ts'
import type { Outcome } from '../json/json.ts'
import type { Opening } from '../opening.ts'
import type { Tagged } from './marks.ts'
import { cdataOpen } from './value.ts'

/** The argument of a tool that takes words for people and needs nothing else: some models write them without a tag. */
export function wordsOf(node: Node): string | undefined {
  const [key, ...others] = node.properties.filter((name) => spoken.has(name) && isTextOnly(node.property(name)))
  return others.length === 0 && node.required.every((name) => name === key) ? key : undefined
}

const spoken = new Set(['message', 'text', 'question', 'result', 'answer', 'response', 'thought'])

/** Reads the words of a call as its only argument, up to its closer, which is left unread. */
export function* readWords({ context, begin, closers }: Opening, spec: Tagged, key: string): Step<Outcome> {
  const { source, pen } = context
  begin()
  pen.note('arguments_repaired', `text as ${key}`)
  pen.write(`{${JSON.stringify(key)}:"`)
  const write = (text: string): void => pen.write(toJsonText(text))
  const decodes = spec.entities === true
  const { push } = createLayout(decodes ? createDecoder(write).push : write)
  const pushLiteral = (text: string): void => push(text.replaceAll('&', '&amp;'))
  const ends = function* (): Step<boolean> {
    if (!decodes || !(yield* take(source, cdataOpen))) return yield* standsAny(source, closers)
    yield* readUntil(source, [']]>'], pushLiteral, () => take(source, ']]>'))
    return false
  }
  if (!(yield* readUntil(source, [cdataOpen, ...closers], push, ends))) return 'cut'
  pen.write('"')
  return 'complete'
}
