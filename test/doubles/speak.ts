import { findDialect } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { answer, type Script } from './openai-compat.ts'
import { cutAtRandom } from './text-model.ts'

export const native = 'native'

interface Made {
  readonly name: string
  readonly arguments: object
}

export interface Said {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly Made[]
  /** Where the model ran out of tokens. */
  readonly cutBefore?: string
  /** What its prompt is told to have taken. */
  readonly promptTokens?: number
  /** By which it knows that a number is meant as text, where a dialect does not tell. */
  readonly tools?: readonly Tool[]
}

/** What a model says that knows tools this way: natively, or in a dialect. */
export function speak(
  column: string,
  { text = '', reasoning, calls = [], cutBefore, promptTokens, tools = [] }: Said,
): Script {
  const isCut = cutBefore !== undefined
  const cut = (whole: string, seed: number) =>
    cutAtRandom(isCut ? whole.slice(0, whole.indexOf(cutBefore)) : whole, seed)
  const usage = promptTokens === undefined ? {} : { usage: { prompt_tokens: promptTokens, completion_tokens: 5 } }
  const ends = { ...usage, ...(reasoning !== undefined && { reasoning }), ...(isCut && { finish: 'length' }) }
  if (column === native) {
    const made = calls.map(({ name, arguments: given }) => ({ name, arguments: cut(JSON.stringify(given), 7) }))
    return answer({ text: cutAtRandom(text, 3), calls: made, ...ends })
  }
  const dialect = findDialect(column)
  if (dialect === undefined) throw new Error(`no dialect ${column}`)
  const printed = calls.map(({ name, arguments: given }, index) => ({
    id: `c${index}`,
    name,
    arguments: JSON.stringify(given),
  }))
  const words = calls.length === 0 ? text : `${text}\n\n${printCalls(dialect, printed, tools)}`
  return answer({ text: cut(words, 5), ...ends })
}
