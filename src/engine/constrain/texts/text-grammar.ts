import type { TextGrammar } from '../../../protocol/custom.ts'
import type { GrammarTree } from '../grammar/tree.ts'
import { readPattern } from '../values/pattern.ts'
import { readLark } from './lark.ts'

const longestPattern = 10_000

/** What texts the grammar of a custom tool allows; undefined where it is one that is not read here. */
export function readTextGrammar({ syntax, definition }: TextGrammar): GrammarTree | undefined {
  if (syntax === 'lark') return readLark(definition)
  // It has to match all of the text.
  const inner = definition.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')
  const root = readPattern(`^(?:${inner})$`, { longest: longestPattern, dot: 'line' })
  return root && { root, rules: new Map() }
}
