import type { Arguments } from '../dialects/dialect.ts'
import { isTextOnly } from '../schema/coerce.ts'
import type { Node } from '../schema/node.ts'
import type { Context } from './context.ts'
import type { Outcome } from './json.ts'
import { type Step, standsAny } from './source.ts'
import { createDecoder, createTrimmer, readUntil, toJsonText } from './value.ts'

/** The argument of a tool that takes words for people and needs nothing else: some models write them without a tag. */
export function wordsOf(node: Node): string | undefined {
  const [key, ...others] = node.properties.filter((name) => spoken.has(name) && isTextOnly(node.property(name)))
  return others.length === 0 && node.required.every((name) => name === key) ? key : undefined
}

const spoken = new Set(['message', 'text', 'question', 'result', 'answer', 'response', 'thought'])

/** Reads the words of a call as its only argument, up to its closer, which is left unread. */
export function* readWords(
  { source, pen }: Context,
  spec: Extract<Arguments, { as: 'tagged' }>,
  key: string,
  begin: () => Node,
  closers: readonly string[],
): Step<Outcome> {
  begin()
  pen.note('arguments_repaired', `text as ${key}`)
  pen.write(`{${JSON.stringify(key)}:"`)
  const write = (text: string): void => pen.write(toJsonText(text))
  const { push } = createTrimmer(spec.entities === true ? createDecoder(write).push : write)
  if (!(yield* readUntil(source, '<', () => standsAny(source, closers), push))) return 'cut'
  pen.write('"')
  return 'complete'
}
