import { GatewayError } from '../../../errors.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../protocol/json.ts'
import { callsOf } from '../../../protocol/message.ts'
import type { Reasoning, Request } from '../../../protocol/request.ts'
import {
  array,
  type Check,
  collectFailures,
  decimal,
  defined,
  filledText,
  flag,
  integer,
  optional,
  text,
  wrongType,
} from '../../shared/fields.ts'
import { toHistory } from '../../shared/history.ts'
import { createToolNames, type ToolNames } from '../../shared/tools.ts'
import { noteUnknown, type Vocabulary } from '../../shared/unknown-fields.ts'
import { readConversation, readSystem } from './conversation.ts'
import { note, type Reading } from './reading.ts'
import { chosenName, readChoice, readParallel, readTools } from './tools.ts'

export interface MessagesRequest {
  readonly request: Request
  readonly stream: boolean
  readonly showsThoughts: boolean
  readonly names: ToolNames
  /** The client's own name for its session. */
  readonly session: string | undefined
}

/** Fields that are translated, or mean nothing outside of the vendor's house; all others travel in `extra`. */
const handled = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'tools', 'tool_choice', 'temperature', 'top_p', 'stop_sequences'],
  ...['thinking', 'output_config', 'output_format', 'metadata', 'stream', 'mcp_servers', 'thread'],
  ...['context_management', 'safeguards', 'service_tier', 'container', 'inference_geo', 'cache_control', 'betas'],
  ...['anthropic_version', 'anthropic_beta', 'speed', 'fallbacks', 'diagnostics'],
])

const bodyFields: Vocabulary = {
  known: [...handled, 'top_k'],
  aliases: {
    stop: 'stop_sequences',
    max_completion_tokens: 'max_tokens',
    max_output_tokens: 'max_tokens',
    functions: 'tools',
    instructions: 'system',
    input: 'messages',
    prompt: 'messages',
    format: 'output_config.format',
    response_format: 'output_config.format',
    reasoning_effort: 'output_config.effort',
  },
}

const instructions: Check<string> = (value, path) =>
  typeof value === 'string' || Array.isArray(value)
    ? readSystem(value)
    : wrongType(value, path, 'a string or an array of text blocks')

interface Terms {
  readonly toolsLimit: number
  /** Whether the body is to be answered, or only counted. */
  readonly isCounted?: boolean
}

/** A body of this protocol as a request. Throws one GatewayError that tells of all that cannot be read. */
export function readRequest(body: unknown, { toolsLimit, isCounted = false }: Terms): MessagesRequest {
  if (!isJsonObject(body))
    throw new GatewayError('invalid_type', 'Invalid type for the request body: expected a JSON object.')
  const gathering = collectFailures()
  const read = <T>(name: string, check: Check<T>): T | undefined =>
    gathering.read(() => optional(check)(body[name], name))
  const reading: Reading = {
    names: createToolNames(),
    loaded: new Set(),
    defined: [],
    withdrawn: new Set(),
    hosted: [],
    notes: [],
  }
  const model = gathering.read(() => filledText(body['model'], 'model'))
  const spoken = gathering.read(() => readConversation(body['messages'], reading)) ?? []
  const offered = gathering.read(() => {
    const chosen = chosenName(body)
    const called = spoken.flatMap(callsOf)
    const named = new Set([
      ...called.map(({ name }) => reading.names.toOuter(name)),
      ...(chosen === undefined ? [] : [chosen]),
    ])
    const tools = readTools(body, { limit: toolsLimit, named }, reading)
    return { tools, toolChoice: readChoice(body, tools, reading.names) }
  })
  const system = gathering.read(() => optional(instructions)(body['system'], 'system')) ?? ''
  const maxTokens = gathering.read(() => (isCounted ? undefined : integer(1)(body['max_tokens'], 'max_tokens')))
  const stops = read('stop_sequences', array(text))?.filter((stop) => stop !== '') ?? []
  const sampling = defined({ temperature: read('temperature', decimal(0, 2)), topP: read('top_p', decimal(0, 1)) })
  const stream = read('stream', flag) ?? false
  gathering.settle()
  reading.notes.push(...noteUnknown([[body, bodyFields], ...toolsIn(body)]))
  const { reasoning, isShown } = readThinking(body)
  const { messages, faults } = toHistory(system, spoken)
  if (faults.length > 0) note(reading, 'history_healed', faults.join(', '))
  return {
    request: defined({
      model,
      messages,
      ...offered,
      hosted: reading.hosted.length === 0 ? undefined : reading.hosted,
      parallelCalls: readParallel(body),
      sampling,
      maxTokens,
      stop: stops.length === 0 ? undefined : stops,
      responseFormat: readFormat(body),
      reasoning,
      extra: Object.fromEntries(Object.entries(body).filter(([name]) => !handled.has(name))),
      omitsMedia: true,
      notes: reading.notes.length === 0 ? undefined : reading.notes,
    }),
    stream,
    showsThoughts: isShown,
    names: reading.names,
    session: readSession(body['metadata']),
  }
}

const toolFields: Vocabulary = {
  known: [
    ...['type', 'name', 'description', 'input_schema', 'strict', 'cache_control', 'defer_loading'],
    ...['eager_input_streaming', 'input_examples', 'allowed_callers'],
  ],
}

function toolsIn({ tools }: JsonObject): readonly (readonly [JsonObject, Vocabulary, string])[] {
  if (!Array.isArray(tools)) return []
  return (tools as readonly JsonObject[]).flatMap((tool, index) =>
    tool['input_schema'] === undefined ? [] : [[tool, toolFields, `tools[${index}].`] as const],
  )
}

/** A form the answer must have. */
function readFormat({ output_config: config, output_format: older }: JsonObject): Json | undefined {
  const format = (isJsonObject(config) ? config['format'] : undefined) ?? older
  if (!isJsonObject(format) || !isJsonObject(format['schema'])) return undefined
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format['schema'], strict: true } }
}

/** Claude Code puts JSON into the id of its user, and its session into that. */
function readSession(metadata: Json | undefined): string | undefined {
  const user = isJsonObject(metadata) ? metadata['user_id'] : undefined
  const told = typeof user === 'string' ? parseJson(user) : undefined
  const session = isJsonObject(told) ? told['session_id'] : undefined
  return typeof session === 'string' && session !== '' ? session : undefined
}

interface Thinking {
  readonly reasoning: Reasoning
  /** The client wants to see the thoughts. */
  readonly isShown: boolean
}

/** The highest that services know. */
const most = 'high'
const efforts: Readonly<Record<string, string>> = { minimal: 'low', low: 'low', medium: 'medium', high: most }

/** How much the model is to think: in this protocol not at all, unless it is asked for. */
function readThinking(fields: JsonObject): Thinking {
  const { thinking, output_config: config } = fields
  const type = isJsonObject(thinking) ? thinking['type'] : undefined
  if (!isJsonObject(thinking) || type === undefined || type === 'disabled')
    return { reasoning: { enabled: false }, isShown: false }
  const budget = typeof thinking['budget_tokens'] === 'number' ? thinking['budget_tokens'] : undefined
  const wanted = isJsonObject(config) && typeof config['effort'] === 'string' ? config['effort'] : undefined
  const effort = wanted === undefined ? effortOf(budget) : (efforts[wanted] ?? most)
  return {
    reasoning: {
      enabled: true,
      ...(effort !== undefined && { effort }),
      ...(budget !== undefined && { budget }),
    },
    isShown: thinking['display'] !== 'omitted',
  }
}

function effortOf(budget: number | undefined): string | undefined {
  if (budget === undefined) return undefined
  if (budget < 4_000) return 'low'
  return budget < 16_000 ? 'medium' : most
}
