import type { Arguments, Dialect } from '../../../dialects/dialect.ts'
import { findDialect } from '../../../dialects/registry.ts'
import { argumentsKey, toAnswerSchema } from '../../../engine/constrain/answer-schema.ts'
import { printTemplate } from '../../../engine/marks/template.ts'
import { asFunction } from '../../../protocol/custom.ts'
import type { Note } from '../../../protocol/event.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Request } from '../../../protocol/request.ts'
import { callableTools, isForced } from '../../../protocol/tool.ts'
import type { Capabilities, Constraint } from '../../../upstreams/upstream.ts'
import type { ModelSettings } from '../../settings.ts'
import { hasOwnForm } from './format.ts'
import type { GrammarKind, Grammars } from './grammars.ts'

/** What makes a model call a tool, or call it rightly, beyond asking it to. */
export interface Force {
  /** How its answer begins, decided for it. */
  readonly prefill?: string
  readonly constraint?: Constraint
  /** The dialect the answer will be in, where that is not the one it was taught. */
  readonly reading?: Dialect
  /** What the model is told of it. */
  readonly words?: string
  /** It may think first, as it always does: the constraint allows for it. */
  readonly mayThink?: boolean
  /** What is worth telling of it. */
  readonly notes?: readonly Note[]
}

/** One step of the ladder, made when it is come to. */
export type ForceStep = () => Force | Promise<Force>

type Settings = Pick<ModelSettings, 'constrain' | 'template'>

/**
 * The means there are, the surest first: a grammar of the dialect, a schema of the whole answer, the beginning of a call,
 * and last nothing but words. Where the model may also answer in words there is the grammar, if that costs the service
 * little, or nothing.
 */
export function forcesOf(
  request: Request,
  dialect: Dialect,
  capabilities: Capabilities,
  settings: Settings,
  grammars: Grammars,
): readonly ForceStep[] {
  // What a client wants its answer held to is not replaced by something else.
  const mayHold = settings.constrain !== 'never' && !hasOwnForm(request)
  const held = mayHold ? grammarSteps(request, dialect, capabilities, settings, grammars) : []
  if (!isForced(request.toolChoice)) return [...held, () => ({})].map(once)
  const schemas = mayHold ? schemaSteps(request, capabilities, settings) : []
  return [...held, ...schemas, ...beginSteps(request, dialect, capabilities), () => ({})].map(once)
}

/** What was refused is known again by being the same. */
function once(step: ForceStep): ForceStep {
  let made: Force | Promise<Force> | undefined
  return () => {
    made ??= step()
    return made
  }
}

function grammarSteps(
  request: Request,
  dialect: Dialect,
  { constraints = [], opensThought }: Capabilities,
  { constrain, template }: Settings,
  grammars: Grammars,
): readonly ForceStep[] {
  const isCertain = isForced(request.toolChoice)
  const isWanted = isCertain || constrain === 'always' || request.responseFormat !== undefined
  const kinds = constraints.flatMap(({ kind, isCheap }): readonly GrammarKind[] =>
    kind !== 'json-schema' && (isWanted || isCheap === true) ? [kind] : [],
  )
  const opens =
    template.thinks === true || opensThought === 'always' || (opensThought === 'usually' && !isThoughtless(request))
  return kinds.map(
    (kind): ForceStep =>
      async () => {
        const { constraint, notes } = await grammars.make(request, dialect, kind, opens)
        return { constraint, notes, ...(opens && { mayThink: true }) }
      },
  )
}

function isThoughtless({ reasoning }: Request): boolean {
  return reasoning?.enabled === false || reasoning?.effort === 'none'
}

function schemaSteps(
  request: Request,
  { prefill, constraints = [] }: Capabilities,
  { template }: Settings,
): readonly ForceStep[] {
  const reading = findDialect('json-bare')
  if (!constraints.some(({ kind }) => kind === 'json-schema') || reading === undefined) return []
  const tools = callableTools(request).map(asFunction)
  const words = `Write the call as nothing but one JSON object with its "name" and its "${argumentsKey}".`
  // An answer that has begun, if only with white space, is not put into a thought by the template.
  const unopened = template.thinks === true && prefill === true ? { prefill: '\n' } : {}
  const held = (schema: JsonObject): Force => {
    return { constraint: { kind: 'json-schema', schema }, reading, words, ...unopened }
  }
  return [() => held(toAnswerSchema(tools)), () => held(toAnswerSchema(tools, finerKeywords))]
}

function beginSteps(request: Request, dialect: Dialect, { prefill }: Capabilities): readonly ForceStep[] {
  if (prefill !== true || dialect.grammar.frame !== undefined) return []
  const [only, ...others] = callableTools(request)
  const begun = beginningOf(dialect, others.length === 0 ? only?.name : undefined)
  return begun === '' ? [] : [() => ({ prefill: begun })]
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
