import type { JsonObject } from '../../protocol/json.ts'
import type { Constraint } from '../upstream.ts'
import type { ConstraintForm } from './flavour.ts'

type Of<Kind extends Constraint['kind']> = Extract<Constraint, { readonly kind: Kind }>

function define<Kind extends Constraint['kind']>(
  kind: Kind,
  say: (constraint: Of<Kind>) => JsonObject,
): ConstraintForm {
  return {
    kind,
    say: (constraint) => (constraint.kind === kind ? say(constraint as Of<Kind>) : {}),
  }
}

const cheap = (form: ConstraintForm): ConstraintForm => ({ ...form, isCheap: true })

/** OpenAI's own: the answer as one JSON value. */
export const schemaFormat = define('json-schema', ({ schema }) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
}))

/** Read as it goes, so that a grammar costs nothing before the first token. */
export const gbnfField = cheap(define('gbnf', ({ grammar }) => ({ grammar })))

/** xgrammar's tags let words pass until a call begins, and are compiled one by one. */
export const tagFormat = cheap(define('structural-tag', ({ tag }) => ({ response_format: tag })))

export const ebnfField = define('ebnf', ({ grammar }) => ({ ebnf: grammar }))
export const ebnfFormat = define('ebnf', ({ grammar }) => ({ response_format: { type: 'ebnf', ebnf: grammar } }))

/** vLLM since 0.11. */
export const structuredGrammar = define('ebnf', ({ grammar }) => ({ structured_outputs: { grammar } }))
export const structuredSchema = define('json-schema', ({ schema }) => ({ structured_outputs: { json: schema } }))
/** A text there, not an object. */
export const structuredTag = cheap(
  define('structural-tag', ({ tag }) => ({ structured_outputs: { structural_tag: JSON.stringify(tag) } })),
)

/** vLLM before that. */
export const guidedGrammar = define('ebnf', ({ grammar }) => ({ guided_grammar: grammar }))
export const guidedSchema = define('json-schema', ({ schema }) => ({ guided_json: schema }))
