import { sha256 } from '../../bytes.ts'
import type { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Abilities, Constraint, ConstraintOffer, ContextWindow } from '../upstream.ts'
import type { BodyReader } from '../wire/stream.ts'

/** A question a service answers without a charge. A path is meant from where `/v1` hangs, or from inside it. */
export interface Question {
  readonly path: string
  /** `inside`: below the configured address (`/v1/models`); else beside it (`/version`). */
  readonly inside?: boolean
  /** Asked by POST with this; else by GET. */
  readonly body?: (model: string) => JsonObject
}

/** A service's own protocol, spoken with the same request. */
export interface Wire {
  /** From where `/v1` hangs. */
  readonly path: string
  /** Fields beyond those of every service that it takes, by wire name. */
  readonly takes: readonly string[]
  /** The field by which a request asks for so many tokens of context. */
  readonly contextField: string
  /** The same request in its words, with a context of so many tokens. */
  toBody(body: JsonObject, context: number): JsonObject
  createReader(upstream: string, classify: (body: JsonObject) => GatewayError): BodyReader
}

export type Known = 'yes' | 'no' | 'unknown'

/**
 * What one kind of service takes and how it says things: all that the adapter must know about it. Adding a service is one
 * record like this; nothing else asks for names.
 */
export interface Flavour {
  readonly name: string
  /** What people call it. */
  readonly title?: string
  /** Known by its address: these hosts and what lies below them. */
  readonly hosts?: readonly string[]
  /** Known by an answer to a free question, the first that fits in the order of the registry. */
  readonly fingerprints?: readonly (Question & { readonly fits: (answer: JsonObject) => boolean })[]
  /** Where its version stands in the answer of a fingerprint. */
  readonly version?: (answer: JsonObject) => string | undefined
  /** What older versions do differently, oldest first: the first whose `before` lies above the version counts. */
  readonly older?: readonly { readonly before: string; readonly traits: Partial<Traits> }[]
  readonly traits: Traits
  /** One spelling for all the names a model has there; absent: it has one. */
  readonly modelName?: (name: string) => string
  /** A free question it answers whatever else it is doing. */
  readonly alive?: Question
  /** Where to read how large a model's context is: of several answers, the first counts. */
  readonly context?: readonly (Question & { readonly read: (answer: JsonObject, model: string) => ContextWindow })[]
  /** A way in beside `/chat/completions`, where it can be told how large the context is to be. */
  readonly chat?: Wire
  /** What to do about native tools that it refuses or does not make out, for people. */
  readonly toolsRemedy?: string
  /** What a prompt ends with, where the service shows it: with thoughts and, if it can, without. */
  readonly prompts?: Readonly<Record<'thinking' | 'thoughtless', Question>> & {
    readonly read: (answer: JsonObject) => string | undefined
  }
  /** Whether a model calls tools natively, where the service says so. */
  readonly tools?: Question & {
    readonly read: (answer: JsonObject, model: string) => Known
    /** What else a model can do, by the same answer. */
    readonly abilities?: (answer: JsonObject, model: string) => Abilities
    /** The source of its chat template, by the same answer. */
    readonly template?: (answer: JsonObject) => string | undefined
  }
}

export interface Traits {
  /** Native tools, where no free question answers that. */
  readonly nativeTools: Known
  /** How long what is known of its tools holds. */
  readonly knownForMs: number
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens'
  readonly toolChoice: ToolChoiceForm
  /** Whether a call that is required is sure to come. Where it is not, it is made sure of by other means. */
  readonly requires: boolean
  /** What makes it answer without a thought first: a constraint counts from the first word of the answer proper. */
  readonly thinkingOff: JsonObject
  /** `whole`: it sends nothing while its model writes a native call, however long that takes. */
  readonly calls: 'streamed' | 'whole'
  /** Whether it cuts off what does not fit into the context, without a word. */
  readonly cutsPrompts: boolean
  /** What to do about a context that is too small, for people. */
  readonly contextRemedy?: string
  /** Whether every token it counts is text it passes on, so that what is missing was lost. */
  readonly passesAll: boolean
  /** What makes its chat template tell the tools and its parser leave the text alone. Absent: nothing is known to. */
  readonly templateTools?: JsonObject
  /** Whether `parallel_tool_calls` may be sent. */
  readonly parallelCalls: boolean
  /** The form ids of calls must have; absent: any. */
  readonly callIds?: 'nine-alphanumerics'
  readonly prefill: PrefillForm
  /** What it holds an answer to, the strongest first, and how it is told. */
  readonly constraints: readonly ConstraintForm[]
  /** The most stop sequences it takes. */
  readonly stops: number
  /** Whether it has to be asked for the usage of a stream, and may be. */
  readonly usage: 'asked' | 'unasked'
  /** What becomes of earlier thoughts: left out, sent where the client has them, or remembered for clients that drop them. */
  readonly reasoning: 'dropped' | 'sent' | 'remembered'
  /** What becomes of that which services want back with a message or a call: as with earlier thoughts. */
  readonly providerMetadata: 'dropped' | 'sent' | 'remembered'
  /** Whether messages may carry the name of who speaks. */
  readonly names: boolean
  /** Whether it has tools that take a text; else they are functions with one argument. */
  readonly customTools: boolean
  /** Whether tools are marked `strict`: where the client did, or all of them too where a call is forced, or never. */
  readonly strict: 'asked' | 'forced' | 'never'
  readonly headers?: Readonly<Record<string, string>>
  /** Fields that are never sent. */
  readonly drops: readonly string[]
  /** Fields beyond those of every service that it takes, by wire name. */
  readonly takes: readonly string[] | 'all'
}

/**
 * `openai`: words and objects, `allowed_tools` too. `objects`: not that. `words`: none, auto, required; one tool alone is
 * named by offering no other. `any`: the same, but "required" is "any". `name`: a function's bare name. `ignored`: it takes
 * all of them and does as it likes.
 */
export type ToolChoiceForm = 'openai' | 'objects' | 'words' | 'any' | 'name' | 'ignored'

/** How an answer is begun for the model: not at all, by a last assistant message, or by one with these fields beside it. */
export type PrefillForm =
  | { readonly by: 'none' }
  | { readonly by: 'trailing'; readonly fields?: JsonObject; readonly mark?: JsonObject }

/** A kind of constraint and the fields that say it. */
export interface ConstraintForm extends ConstraintOffer {
  readonly say: (constraint: Constraint) => JsonObject
}

const minute = 60_000

/** An unrecognised service: what nearly all of them take. */
export const plainTraits: Traits = {
  nativeTools: 'unknown',
  knownForMs: 60 * minute,
  maxTokens: 'max_tokens',
  toolChoice: 'openai',
  requires: true,
  thinkingOff: {},
  calls: 'streamed',
  cutsPrompts: false,
  passesAll: false,
  parallelCalls: true,
  prefill: { by: 'none' },
  constraints: [],
  stops: 4,
  usage: 'asked',
  reasoning: 'dropped',
  providerMetadata: 'sent',
  names: true,
  customTools: false,
  strict: 'asked',
  drops: [],
  takes: [],
}

/** A server of open models: what nearly all of these differ in. */
export const serverTraits: Traits = {
  ...plainTraits,
  passesAll: true,
  providerMetadata: 'dropped',
  stops: 16,
}

/** The objects of a list. */
export function listAt(answer: JsonObject, field: string): readonly JsonObject[] {
  const list = answer[field]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

export function textAt(answer: JsonObject, field: string): string | undefined {
  const text = answer[field]
  return typeof text === 'string' ? text : undefined
}

/** Whether a list of models says whose they are. */
export function isOwnedBy(answer: JsonObject, owner: string): boolean {
  return listAt(answer, 'data').some((model) => model['owned_by'] === owner)
}

/** A context's tokens, where a number stands there. */
export function tokensAt(settings: unknown, field: string): { readonly tokens?: number } {
  const tokens = isJsonObject(settings) ? settings[field] : undefined
  return typeof tokens === 'number' && tokens > 0 ? { tokens } : {}
}

const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A call's id in the form a service insists on. Ids that have it, such as its own, stay as they are; of others always the
 * same one is made, so that a call and its result agree.
 */
export function toServiceId(id: string, form: Traits['callIds']): string {
  if (form === undefined || /^[A-Za-z0-9]{9}$/.test(id)) return id
  const bytes = sha256(id)
  return Array.from(bytes.subarray(0, 9), (byte) => alphanumerics.charAt(byte % alphanumerics.length)).join('')
}

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
