import type { Arguments, Dialect } from '../../dialects/dialect.ts'
import { findDialect } from '../../dialects/registry.ts'
import { argumentsKey, toAnswerSchema } from '../../engine/constrain/answer-schema.ts'
import { printTemplate } from '../../engine/marks/template.ts'
import { asFunction } from '../../protocol/custom.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Request } from '../../protocol/request.ts'
import type { Tool, ToolChoice } from '../../protocol/tool.ts'
import type { Capabilities, Constraint } from '../../upstreams/upstream.ts'

/** What makes a model call a tool, beyond asking it to. */
export interface Force {
  /** How its answer begins, decided for it. */
  readonly prefill?: string
  readonly constraint?: Constraint
  /** The dialect the answer will be in, where that is not the one it was taught. */
  readonly reading?: Dialect
  /** What the model is told of it. */
  readonly words?: string
  /** What is left where the service does not take this. */
  readonly otherwise?: Force
}

/** Whether the client insists on a call. */
export function isForced(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' || choice?.mode === 'named' || (choice?.mode === 'allowed' && choice.required)
}

/** The tools whose calls count in this turn. */
export function callableTools({ tools, toolChoice }: Request): readonly Tool[] {
  if (toolChoice?.mode === 'named') return tools.filter(({ name }) => name === toolChoice.name)
  if (toolChoice?.mode === 'allowed') return tools.filter(({ name }) => toolChoice.names.includes(name))
  return tools
}

/** The surest means the service has: a schema its answer is held to, else the beginning of a call. None: words alone. */
export function forceOf(
  request: Request,
  dialect: Dialect,
  { prefill, constraints = [] }: Capabilities,
  opensThought = false,
): Force {
  if (!isForced(request.toolChoice)) return {}
  const tools = callableTools(request).map(asFunction)
  const begun = prefill === true && dialect.grammar.frame === undefined ? begin(tools, dialect) : {}
  const reading = findDialect('json-bare')
  if (!constraints.includes('json-schema') || reading === undefined) return begun
  const words = `Write the call as nothing but one JSON object with its "name" and its "${argumentsKey}".`
  // An answer that has begun, if only with white space, is not put into a thought by the template.
  const unopened = opensThought ? { prefill: '\n' } : {}
  const held = (schema: JsonObject, otherwise: Force): Force => {
    return { constraint: { kind: 'json-schema', schema }, reading, words, otherwise, ...(prefill === true && unopened) }
  }
  return held(toAnswerSchema(tools), held(toAnswerSchema(tools, finerKeywords), begun))
}

function begin(tools: readonly Tool[], dialect: Dialect): Force {
  const [only] = tools
  const prefill = beginningOf(dialect, tools.length === 1 ? only?.name : undefined)
  return prefill === '' ? {} : { prefill }
}

/** What services make grammars of only in part, or refuse: the kinds of values matter more. */
const finerKeywords: ReadonlySet<string> = new Set([
  'pattern',
  'patternProperties',
  'propertyNames',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'unevaluatedItems',
])

/** A call up to the first thing that is the model's to choose: its name, or with the name given, its arguments. */
function beginningOf({ grammar }: Dialect, name: string | undefined): string {
  const { section, call, arguments: spec, marks, ids } = grammar
  const opener = call.open[0] ?? ''
  const around = section === undefined || marks === 'none' ? '' : (section.open[0] ?? '')
  const array = spec.as === 'envelope' ? listOf(spec) : ''
  // An id before the name is the model's to choose, too.
  const until = name === undefined || ids !== undefined ? /\{(?:name|id)\}/ : /\{id\}/
  const [known = '', ...chosen] = opener.split(until)
  const open = around + array + printTemplate(known, name === undefined ? {} : { name })
  // Services trim white space at the end of what they go on from, and models begin a line by themselves.
  return (chosen.length > 0 ? open : open + envelopeOf(spec, name)).trimEnd()
}

function listOf({ array, listKey }: Extract<Arguments, { as: 'envelope' }>): string {
  if (array !== true) return ''
  return listKey === undefined ? '[' : `{${JSON.stringify(listKey)}: [`
}

function envelopeOf(spec: Arguments, name: string | undefined): string {
  if (spec.as !== 'envelope') return ''
  if (spec.keyed === true) return name === undefined ? '{"' : `{${JSON.stringify(name)}:`
  const key = `{${JSON.stringify(spec.nameKey)}: `
  return name === undefined ? `${key}"` : `${key}${JSON.stringify(name)}, ${JSON.stringify(spec.argumentsKey)}:`
}
