import { env } from 'node:process'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { type Constrained, type ConstrainOptions, constrain } from '../../src/engine/constrain/constrain.ts'
import { printEbnf } from '../../src/engine/constrain/grammar/print.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { compileEbnf, type Oracle } from './oracle.ts'
import { type Sample, samples } from './schemas.ts'

/** `DRAGOMAN_CONSTRAIN=all` for every schema and many walks; a share of both otherwise. */
export const isFull = env['DRAGOMAN_CONSTRAIN'] === 'all'

/** Samples that show every form of a value. */
const usual = new Set([
  'no parameters',
  'a string',
  'a number',
  'an enum of many kinds',
  'a nullable string',
  'an array of strings',
  'a bounded integer',
  'a short string',
  'a pattern',
  'an object',
  'recursion',
  'required and optional',
  'odd names',
  'open to others',
])

export const tried: readonly Sample[] = isFull ? samples : samples.filter(({ name }) => usual.has(name))

/** One tool for each sample. */
export const tools: readonly Tool[] = tried.map(({ schema }, index) => ({
  kind: 'function',
  name: `act_${String.fromCharCode(97 + (index % 26))}${index > 25 ? '2' : ''}`,
  ...(schema === undefined ? {} : { parameters: schema }),
}))

export function toolFor(sample: Sample): Tool {
  return tools[tried.indexOf(sample)] as Tool
}

export function say(dialect: Dialect, ...calls: readonly (readonly [tool: Tool, args: Json | string])[]): string {
  const printed = calls.map(([{ name }, args], index) => {
    return { id: `call_${index}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
  })
  return printCalls(dialect, printed, tools)
}

/** JSON with a blank after every sign, as Python writes it. */
export function spaced(value: Json): string {
  return JSON.stringify(value, undefined, 1).replace(/\n */g, ' ')
}

export async function grammarOf(
  options: ConstrainOptions,
): Promise<{ readonly oracle: Oracle; readonly made: Constrained }> {
  const made = constrain(options)
  return { oracle: await compileEbnf(printEbnf(made.tree)), made }
}
