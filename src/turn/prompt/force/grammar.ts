import type { Dialect } from '../../../dialects/dialect.ts'
import { dialects } from '../../../dialects/registry.ts'
import { toAnswerSchema } from '../../../engine/constrain/answer-schema.ts'
import { type ConstrainOptions, constrain, finish, toolsOf } from '../../../engine/constrain/constrain.ts'
import type { Widening } from '../../../engine/constrain/detail.ts'
import { printEbnf, printGbnf } from '../../../engine/constrain/grammar/print.ts'
import { structuralTagSteps } from '../../../engine/constrain/structural-tag.ts'
import type { Request } from '../../../protocol/request.ts'
import { schemaOf } from './format.ts'

/** The notations a grammar is printed in. */
export const grammarForms = ['gbnf', 'ebnf', 'structural-tag', 'schema'] as const
/** A notation: `gbnf`, `ebnf`, `structural-tag`, or a JSON `schema`. */
export type GrammarForm = (typeof grammarForms)[number]

/** A grammar, as text in its notation. */
export interface Grammar {
  readonly text: string
  /** What the schemas say and the grammar does not. */
  readonly widened: readonly Widening[]
}

export type Asked = Pick<Request, 'tools' | 'toolChoice' | 'parallelCalls' | 'responseFormat'>

/** What an answer to this request may be, in a dialect. */
export function grammarFor(request: Asked, dialect: Dialect, form: GrammarForm): Grammar {
  return printers[form](optionsFor(request, dialect))
}

const printers: Readonly<Record<GrammarForm, (options: ConstrainOptions) => Grammar>> = {
  gbnf(options) {
    const { tree, widened } = constrain(options)
    return { text: printGbnf(tree), widened }
  },
  ebnf(options) {
    const { tree, widened } = constrain(options)
    return { text: printEbnf(tree), widened }
  },
  'structural-tag'(options) {
    const { tag, widened } = finish(structuralTagSteps(options))
    return { text: `${JSON.stringify(tag, undefined, 2)}\n`, widened }
  },
  schema: (options) => ({ text: `${JSON.stringify(toAnswerSchema(toolsOf(options)), undefined, 2)}\n`, widened: [] }),
}

export function optionsFor(
  { tools, toolChoice, parallelCalls, responseFormat }: Asked,
  dialect: Dialect,
): ConstrainOptions {
  const format = schemaOf(responseFormat)
  return { dialect, tools, choice: toolChoice, parallel: parallelCalls, others: dialects, format }
}
