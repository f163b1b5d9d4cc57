import type { Arguments } from '../../dialects/dialect.ts'
import { isTextOnly } from '../../schema/coerce.ts'
import type { Node } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import { standsAny, take } from '../text/literals.ts'
import { refuted, type Step } from '../text/source.ts'
import { createDecoder, createTrimmer, readUntil, toJsonText } from '../text/value.ts'
import { readArguments, runWhole } from './arguments.ts'
import type { Outcome } from './json.ts'
import { cdataOpen } from './value-ends.ts'

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
  const decodes = spec.entities === true
  const { push } = createTrimmer(decodes ? createDecoder(write).push : write)
  const pushLiteral = (text: string): void => push(text.replaceAll('&', '&amp;'))
  const ends = function* (): Step<boolean> {
    if (!decodes || !(yield* take(source, cdataOpen))) return yield* standsAny(source, closers)
    yield* readUntil(source, ']', () => take(source, ']]>'), pushLiteral)
    return false
  }
  if (!(yield* readUntil(source, '<', ends, push))) return 'cut'
  pen.write('"')
  return 'complete'
}

/** The argument of a tool that needs nothing but one text. */
export function textOf(node: Node): string | undefined {
  const [key = '', ...others] = node.required.length > 0 ? node.required : node.properties
  return others.length === 0 && node.hasProperty(key) && isTextOnly(node.property(key)) ? key : undefined
}

const jsonString = /^"(?:[^"\\\p{Cc}]|\\["\\/bfnrt])*"$/u

/** Reads plain text as the only argument; what is a JSON string may hold the text, or the arguments themselves. */
export function* readPlain(context: Context, stops: readonly string[], key: string, begin: () => Node): Step<Outcome> {
  const { source, pen } = context
  let plain = ''
  const push = (piece: string): void => void (plain += piece)
  const ended = yield* readUntil(source, '\n', () => standsAny(source, stops), push)
  if (!ended && !context.endedWell) throw refuted
  // The end of a fence whose beginning was passed over.
  const written = plain.trim().replace(/^([^`]*)\n```$/, '$1')
  const text = jsonString.test(written) ? (JSON.parse(written) as string) : written
  const node = begin()
  pen.note('arguments_repaired', `text as ${key}`)
  if (text.startsWith('{')) return runWhole(text, (inner) => readArguments({ source: inner, pen }, node, []))
  pen.write(`{${JSON.stringify(key)}:${JSON.stringify(text)}`)
  return 'complete'
}
