import { GatewayError } from '../../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Request, Sampling } from '../../../protocol/request.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import {
  array,
  type Check,
  collectFailures,
  decimal,
  defined,
  type FailureCollector,
  fail,
  filledText,
  flag,
  integer,
  object,
  oneOf,
  optional,
  shortText,
  text,
} from '../../shared/fields.ts'
import { functionsIn, noteUnknown, type Vocabulary } from '../../shared/unknown-fields.ts'
import { createFaults } from './links.ts'
import { readMessages } from './messages.ts'
import { readFunctionChoice, readToolChoice, readTools } from './tools.ts'

interface ChatRequest {
  readonly request: Request
  /** How many answers the client wants. */
  readonly choices: number
  readonly stream: boolean
  readonly includeUsage: boolean
  /** The client speaks the older `functions`, and is answered in them. */
  readonly legacyFunctions: boolean
}

interface RequestLimits {
  readonly tools: number
}

/** Fields this door understands; all others travel in `extra`. */
const translated = new Set([
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'],
  ...['stream', 'stream_options', 'n', 'stop', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
  ...['presence_penalty', 'frequency_penalty', 'seed', 'logit_bias', 'logprobs', 'top_logprobs'],
  ...['response_format', 'reasoning_effort', 'user'],
])

/** Beside those that are translated, what OpenAI's own API takes. */
const chatFields: Vocabulary = {
  known: [
    ...translated,
    ...['audio', 'metadata', 'modalities', 'moderation', 'prediction', 'prompt_cache_key', 'prompt_cache_retention'],
    ...['safety_identifier', 'service_tier', 'store', 'verbosity', 'web_search_options'],
  ],
  aliases: {
    max_output_tokens: 'max_completion_tokens',
    num_predict: 'max_completion_tokens',
    stop_sequences: 'stop',
    system: 'messages[0]',
    instructions: 'messages[0]',
    input: 'messages',
    prompt: 'messages',
    format: 'response_format',
  },
}

const bias = decimal(-100, 100)

const logitBias: Check<JsonObject> = (value, path) => {
  const fields = object(value, path)
  for (const token of Object.keys(fields)) bias(fields[token], `${path}.${token}`)
  return fields
}

const stop: Check<string[]> = (value, path) =>
  typeof value === 'string' ? [value] : array(text, { max: 4 })(value, path)

const responseFormat: Check<JsonObject> = (value, path) => {
  const fields = object(value, path)
  const type = oneOf('json_object', 'json_schema', 'text')(fields['type'], `${path}.type`)
  if (type === 'json_schema') {
    const schema = object(fields['json_schema'], `${path}.json_schema`)
    shortText(64)(schema['name'], `${path}.json_schema.name`)
    optional(object)(schema['schema'], `${path}.json_schema.schema`)
  }
  return fields
}

/** Null is how many clients write "not given", and most fields are not. */
function readField<T>(fields: JsonObject, name: string, check: Check<T>, gathering: FailureCollector): T | undefined {
  const value = fields[name]
  return value === undefined || value === null ? undefined : gathering.read(() => check(value, name))
}

const temperature = decimal(0, 2)
const share = decimal(0, 1)
const penalty = decimal(-2, 2)
const anyInteger = integer(Number.MIN_SAFE_INTEGER)
const fewTokens = integer(0, 20)
const positive = integer(1)
const answers = integer(1, 128)

function readSampling(fields: JsonObject, gathering: FailureCollector): Sampling {
  const read = <T>(name: string, check: Check<T>): T | undefined => readField(fields, name, check, gathering)
  const sampling = defined({
    temperature: read('temperature', temperature),
    topP: read('top_p', share),
    presencePenalty: read('presence_penalty', penalty),
    frequencyPenalty: read('frequency_penalty', penalty),
    seed: read('seed', anyInteger),
    logitBias: read('logit_bias', logitBias),
    logprobs: read('logprobs', flag),
    topLogprobs: read('top_logprobs', fewTokens),
  })
  gathering.read(() => {
    if (sampling.topLogprobs === undefined || sampling.logprobs === true) return
    fail('invalid_value', "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.", 'top_logprobs')
  })
  return sampling
}

function readIncludeUsage(fields: JsonObject, stream: boolean): boolean {
  const options = optional(object)(fields['stream_options'], 'stream_options')
  if (options === undefined) return false
  if (!stream) {
    fail('invalid_value', "The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  }
  return optional(flag)(options['include_usage'], 'stream_options.include_usage') ?? false
}

/**
 * A request body as the chat endpoint takes it. Throws one GatewayError that tells of all that cannot be read; what is
 * wrong with the conversation and can be read all the same is left in the request's `faults`.
 */
export function readRequest(body: unknown, limits: RequestLimits = { tools: 512 }): ChatRequest {
  if (!isJsonObject(body))
    throw new GatewayError('invalid_type', 'Invalid type for the request body: expected a JSON object.')
  const fields = body
  const gathering = collectFailures()
  const faults = createFaults()
  const read = <T>(name: string, check: Check<T>): T | undefined => readField(fields, name, check, gathering)
  const model = gathering.read(() => filledText(fields['model'], 'model'))
  const messages = gathering.read(() => readMessages(fields['messages'], 'messages', faults))
  const legacyFunctions = Array.isArray(fields['functions']) && fields['functions'].length > 0
  const offered = gathering.read(() => {
    const tools = readTools(fields, limits.tools)
    return { tools, toolChoice: readChoice(fields, tools, legacyFunctions) }
  })
  const stream = read('stream', flag) ?? false
  const parallel = read('parallel_tool_calls', flag)
  const maxTokens = read('max_tokens', positive)
  const maxCompletionTokens = read('max_completion_tokens', positive)
  const stops = read('stop', stop)
  const sampling = readSampling(fields, gathering)
  const choices = read('n', answers) ?? 1
  const format = read('response_format', responseFormat)
  const reasoningEffort = read('reasoning_effort', filledText)
  const user = read('user', text)
  const includeUsage = gathering.read(() => readIncludeUsage(fields, stream))
  gathering.settle()
  const unknown = noteUnknown([[fields, chatFields], ...functionsIn(fields)])
  const request = defined({
    model,
    messages,
    ...offered,
    // The older wire has room for one call an answer.
    parallelCalls: legacyFunctions ? false : parallel,
    sampling,
    maxTokens: maxCompletionTokens ?? maxTokens,
    stop: stops?.length === 0 ? undefined : stops,
    responseFormat: format,
    reasoning: reasoningEffort === undefined ? undefined : { effort: reasoningEffort },
    user,
    extra: extraOf(fields),
    notes: unknown.length === 0 ? undefined : unknown,
    faults: faults.list.length === 0 ? undefined : faults.list,
  })
  return { request, choices, stream, includeUsage, legacyFunctions }
}

function extraOf(fields: JsonObject): JsonObject {
  const names = Object.keys(fields).filter((name) => !translated.has(name))
  return names.length === 0 ? {} : Object.fromEntries(names.map((name) => [name, fields[name] as Json]))
}

function readChoice(fields: JsonObject, tools: readonly Tool[], legacy: boolean): ToolChoice | undefined {
  return legacy ? readFunctionChoice(fields['function_call'], tools) : readToolChoice(fields['tool_choice'], tools)
}

/** The body of a chat completion, in outline: what `request.ts` asks for exactly. */
export const chatBody: JsonObject = {
  type: 'object',
  required: ['model', 'messages'],
  properties: {
    model: { type: 'string', minLength: 1 },
    messages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['role'],
        properties: {
          role: { enum: ['system', 'developer', 'user', 'assistant', 'tool', 'function'] },
          content: { type: ['string', 'array', 'null'] },
          tool_calls: { type: ['array', 'null'] },
          tool_call_id: { type: 'string' },
        },
      },
    },
    tools: { type: ['array', 'null'], items: { type: 'object', required: ['type'] } },
    tool_choice: { type: ['string', 'object', 'null'] },
    parallel_tool_calls: { type: ['boolean', 'null'] },
    stream: { type: ['boolean', 'null'] },
    stream_options: { type: ['object', 'null'] },
    temperature: { type: ['number', 'null'], minimum: 0, maximum: 2 },
    top_p: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    max_tokens: { type: ['integer', 'null'], minimum: 1 },
    max_completion_tokens: { type: ['integer', 'null'], minimum: 1 },
    n: { type: ['integer', 'null'], minimum: 1 },
    stop: { type: ['string', 'array', 'null'] },
  },
}
