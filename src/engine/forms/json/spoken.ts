import { isTextOnly } from '../../../schema/coerce.ts'
import type { Node } from '../../../schema/node.ts'
import type { Context } from '../../context.ts'
import { runWhole } from '../../text/running.ts'
import { refuted, type Step } from '../../text/source.ts'
import { readUntil } from '../../text/value.ts'
import { readWholeArguments } from '../arguments.ts'
import type { Outcome } from './json.ts'

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
  const ended = yield* readUntil(source, stops, push)
  if (!ended && !context.endedWell) throw refuted
  // The end of a fence whose beginning was passed over.
  const written = plain.trim().replace(/^([^`]*)\n```$/, '$1')
  // An object that lost its brace is no text.
  if (/^"[^"\n]*"\s*:/.test(written)) throw refuted
  const text = jsonString.test(written) ? (JSON.parse(written) as string) : written
  const node = begin()
  pen.note('arguments_repaired', `text as ${key}`)
  if (text.startsWith('{')) return runWhole(text, (inner) => readWholeArguments(inner, node, pen))
  pen.write(`{${JSON.stringify(key)}:${JSON.stringify(text)}`)
  return 'complete'
}
