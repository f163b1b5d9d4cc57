import { GatewayError } from '../../../errors.ts'
import type { Note } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Reasoning, Request, Sampling } from '../../../protocol/request.ts'
import type { DoorContext } from '../../door.ts'
import {
  array,
  type Check,
  decimal,
  defined,
  fail,
  filledText,
  flag,
  integer,
  missing,
  object,
  oneOf,
  optional,
  text,
} from '../../shared/fields.ts'
import { toHistory } from '../../shared/history.ts'
import { noteUnknown, type Vocabulary } from '../../shared/unknown-fields.ts'
import { findHistory, resolveReferences, withMemory } from '../stored.ts'
import { hostedIn, readChoice } from './choice.ts'
import { type Item, toMessages, typeOf } from './items.ts'
import { type Declarations, flatFields, readTools, type ToolTable } from './tools.ts'

/** A body as this endpoint takes it. */
export interface ResponsesRequest {
  readonly body: JsonObject
  readonly request: Request
  readonly table: ToolTable
  /** All items of the conversation, those of earlier responses first. */
  readonly input: readonly JsonObject[]
  readonly stream: boolean
  readonly store: boolean
  /** False: the conversation is only prepared, and the model is not asked. */
  readonly generates: boolean
  /** What the client wants beside the standard. */
  readonly include: ReadonlySet<string>
}

/** Fields that are translated, or mean something here alone; all others travel in `extra`. */
const own = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'stream_options'],
  ...[
    'max_output_tokens',
    'temperature',
    'top_p',
    'top_logprobs',
    'user',
    'reasoning',
    'text',
    'stop',
    'include',
    'store',
  ],
  ...['previous_response_id', 'conversation', 'background', 'truncation', 'prompt', 'metadata', 'client_metadata'],
  ...['max_tool_calls', 'context_management', 'generate'],
])

/** Beside those, what OpenAI's own API takes and services may. */
const bodyFields: Vocabulary = {
  known: [
    ...own,
    ...['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'service_tier', 'moderation', 'seed'],
  ],
  aliases: {
    max_tokens: 'max_output_tokens',
    max_completion_tokens: 'max_output_tokens',
    messages: 'input',
    format: 'text.format',
    system: 'instructions',
    functions: 'tools',
    response_format: 'text.format',
    reasoning_effort: 'reasoning.effort',
  },
}

export async function readRequest(
  value: unknown,
  { store: stored, memory, limits, models }: Pick<DoorContext, 'store' | 'memory' | 'limits' | 'models'>,
): Promise<ResponsesRequest> {
  if (!isJsonObject(value))
    throw new GatewayError('invalid_type', 'Invalid type for the request body: expected a JSON object.')
  const body = value
  const read = <T>(name: string, check: Check<T>): T | undefined => optional(check)(body[name], name)
  refuseUnsupported(body)
  const store = memory === undefined ? stored : withMemory(stored, memory)
  const model = filledText(body['model'], 'model')
  const previous = read('previous_response_id', filledText)
  const given = readInput(body['input'])
  const generates = read('generate', flag) ?? true
  if (given.length === 0 && previous === undefined && generates) {
    missing('input', body['messages'] === undefined ? '' : " 'messages' is chat completions' word for it.")
  }
  const history = previous === undefined ? [] : await findHistory(store, previous)
  const { items: fresh, lost } = await resolveReferences(store, given)
  const items: readonly Item[] = [
    ...history.map((fields) => ({ fields, path: 'previous_response_id' })),
    ...fresh.map(({ fields, index }) => ({ fields, path: `input[${index}]` })),
  ]
  const table = readTools(declarationsOf(body['tools'], items), limits.tools)
  const notes = createNotes()
  const hosted = hostedIn(table, body['tool_choice'])
  for (const { detail = '' } of noteUnknown([[body, bodyFields], ...toolsIn(body)])) notes.add('field_unknown', detail)
  if (lost > 0) notes.add('item_dropped', 'item_reference')
  const { messages, faults } = toHistory(
    read('instructions', instructions) ?? '',
    toMessages(items, { table, drop: notes.add }),
  )
  if (messages.length === 0 && generates) {
    const dropped = notes.list().find(({ kind }) => kind === 'item_dropped')?.detail
    const which = dropped === undefined ? '' : ` Items that are not known here: ${dropped}.`
    fail('invalid_value', `Invalid 'input': nothing in it can be put to a model.${which}`, 'input')
  }
  notes.add('history_healed', ...faults)
  const include = new Set(read('include', array(text)) ?? [])
  const wanted = read('max_output_tokens', integer(1))
  const maxTokens = await clamp(wanted, model, models)
  if (maxTokens !== wanted) notes.add('limit_lowered', 'max_output_tokens')
  if (body['truncation'] === 'auto') notes.add('field_dropped', 'truncation')
  const { format, verbosity } = readText(read('text', object) ?? {})
  const request: Request = defined({
    model,
    messages,
    ...readChoice(body['tool_choice'], table),
    hosted: hosted.length === 0 ? undefined : hosted,
    parallelCalls: read('parallel_tool_calls', flag),
    sampling: readSampling(body, include),
    maxTokens,
    responseFormat: format,
    reasoning: readReasoning(read('reasoning', object) ?? {}),
    user: read('user', text),
    extra: {
      ...Object.fromEntries(Object.entries(body).filter(([name]) => !own.has(name))),
      ...(verbosity !== undefined && { verbosity }),
    },
    notes: notes.list().length === 0 ? undefined : notes.list(),
  })
  return {
    body,
    request,
    table,
    input: items.map(({ fields }) => fields),
    stream: read('stream', flag) ?? false,
    store: read('store', flag) ?? true,
    generates,
    include,
  }
}

function toolsIn({ tools }: JsonObject): readonly (readonly [JsonObject, Vocabulary, string])[] {
  if (!Array.isArray(tools)) return []
  return (tools as readonly JsonObject[]).flatMap((tool, index) =>
    tool['type'] === 'function' ? [[tool, flatFields, `tools[${index}].`] as const] : [],
  )
}

function refuseUnsupported(body: JsonObject): void {
  const { background, conversation, prompt } = body
  const refuse = (name: string, remedy: string): never =>
    fail('unsupported_parameter', `Unsupported parameter: '${name}'. ${remedy}`, name)
  if (background === true) refuse('background', 'This gateway has no background responses. Leave the parameter out.')
  if (conversation !== undefined && conversation !== null)
    refuse('conversation', "Use 'previous_response_id', or send the whole conversation as 'input'.")
  if (prompt !== undefined && prompt !== null)
    refuse('prompt', "This gateway stores no prompts. Send the text as 'instructions' or 'input'.")
}

const instructions: Check<string> = (value, path) => {
  if (!Array.isArray(value)) return text(value, path)
  return value
    .flatMap((one) => (isJsonObject(one) && typeof one['content'] === 'string' ? [one['content']] : []))
    .join('\n\n')
}

/** A text is what the user says. */
function readInput(value: unknown): readonly JsonObject[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value !== 'string') return array(object)(value, 'input')
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: value }] }]
}

/** The tools of the request and those that its conversation brings: they are not repeated in `tools`. */
function declarationsOf(tools: unknown, items: readonly Item[]): readonly Declarations[] {
  const lists: Declarations[] = []
  if (tools !== undefined && tools !== null) lists.push({ value: array((one) => one)(tools, 'tools'), path: 'tools' })
  for (const { fields, path } of items) {
    const type = typeOf(fields)
    if (type !== 'additional_tools' && type !== 'tool_search_output') continue
    if (Array.isArray(fields['tools'])) lists.push({ value: fields['tools'], path: `${path}.tools` })
  }
  return lists
}

function readSampling(body: JsonObject, include: ReadonlySet<string>): Sampling {
  const topLogprobs = optional(integer(0, 20))(body['top_logprobs'], 'top_logprobs')
  const isWanted = include.has('message.output_text.logprobs') || (topLogprobs ?? 0) > 0
  return defined({
    temperature: optional(decimal(0, 2))(body['temperature'], 'temperature'),
    topP: optional(decimal(0, 1))(body['top_p'], 'top_p'),
    logprobs: isWanted ? true : undefined,
    topLogprobs: isWanted ? topLogprobs : undefined,
  })
}

const efforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high', ultra: 'high' }

function readReasoning({ effort }: JsonObject): Reasoning | undefined {
  if (typeof effort !== 'string' || effort === '') return undefined
  if (effort === 'none') return { enabled: false }
  return { effort: Object.hasOwn(efforts, effort) ? (efforts[effort] ?? effort) : effort }
}

function readText(fields: JsonObject): { readonly format?: Json; readonly verbosity?: Json } {
  const format = optional(object)(fields['format'], 'text.format')
  const { verbosity } = fields
  const type = format && oneOf('text', 'json_object', 'json_schema')(format['type'], 'text.format.type')
  if (format === undefined || type === 'text') return typeof verbosity === 'string' ? { verbosity } : {}
  const { type: _, ...schema } = format
  if (type === 'json_schema') filledText(format['name'], 'text.format.name')
  return defined({
    format: type === 'json_schema' ? { type, json_schema: schema } : { type: 'json_object' },
    verbosity: typeof verbosity === 'string' ? verbosity : undefined,
  })
}

/** No more than the model has room for, where that is known. */
async function clamp(
  wanted: number | undefined,
  model: string,
  models: DoorContext['models'],
): Promise<number | undefined> {
  if (wanted === undefined) return undefined
  const card = (await models()).find(({ id }) => id === model)
  return Math.min(wanted, card?.outputLimit ?? wanted, card?.contextLength ?? wanted)
}

function createNotes() {
  const kinds = new Map<Note['kind'], Set<string>>()
  return {
    add(kind: Note['kind'], ...details: readonly string[]): void {
      for (const detail of details) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(detail))
    },
    list(): readonly Note[] {
      return [...kinds].map(([kind, details]) => ({ type: 'note', kind, detail: [...details].join(', ') }))
    },
  }
}
