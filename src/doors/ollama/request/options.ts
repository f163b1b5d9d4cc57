import type { Note } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Reasoning, Request } from '../../../protocol/request.ts'
import {
  array,
  type Check,
  defined,
  fail,
  flag,
  integer,
  kindOf,
  object,
  optional,
  quoted,
  text,
  wrongType,
} from '../../shared/fields.ts'
import { functionsIn, noteUnknown, type Vocabulary } from '../../shared/unknown-fields.ts'

type OptionFields = Pick<Request, 'sampling' | 'maxTokens' | 'stop' | 'responseFormat' | 'reasoning' | 'extra'>

/** Options that some services take under the same name. */
const carried = ['top_k', 'min_p', 'typical_p', 'repeat_penalty', 'num_ctx'] as const

const number: Check<number> = (value, path) => (typeof value === 'number' ? value : wrongType(value, path, 'a number'))
const stops: Check<readonly string[]> = (value, path) =>
  typeof value === 'string' ? [value] : array(text)(value, path)

/** Those Ollama has, whether or not something comes of them here. */
const knownOptions: Vocabulary = {
  known: [
    ...['temperature', 'top_p', 'top_k', 'min_p', 'typical_p', 'seed', 'stop', 'num_predict', 'num_ctx', 'num_keep'],
    ...['presence_penalty', 'frequency_penalty', 'repeat_penalty', 'repeat_last_n', 'tfs_z', 'mirostat'],
    ...['mirostat_tau', 'mirostat_eta', 'penalize_newline', 'numa', 'num_batch', 'num_gpu', 'main_gpu', 'num_thread'],
    ...['low_vram', 'f16_kv', 'logits_all', 'vocab_only', 'use_mmap', 'use_mlock', 'draft_num_predict'],
  ],
  aliases: { max_tokens: 'num_predict', num_tokens: 'num_predict', repetition_penalty: 'repeat_penalty' },
}

const shared: Vocabulary = {
  known: [
    ...['model', 'name', 'stream', 'format', 'think', 'options', 'keep_alive', 'logprobs', 'top_logprobs'],
    ...['truncate', 'shift'],
  ],
  aliases: {
    ...Object.fromEntries(knownOptions.known.map((name) => [name, `options.${name}`])),
    max_tokens: 'options.num_predict',
    max_completion_tokens: 'options.num_predict',
    max_output_tokens: 'options.num_predict',
    response_format: 'format',
    reasoning_effort: 'think',
    functions: 'tools',
  },
}

/** By the path they belong to. */
const bodyFields: Readonly<Record<'chat' | 'generate', Vocabulary>> = {
  chat: {
    known: [...shared.known, 'messages', 'tools', 'tool_choice', 'parallel_tool_calls'],
    aliases: {
      ...shared.aliases,
      prompt: 'messages',
      input: 'messages',
      system: 'messages[0]',
      images: 'messages[0].images',
    },
  },
  generate: {
    known: [
      ...shared.known,
      ...['prompt', 'system', 'images', 'raw', 'suffix', 'template', 'context', 'width', 'height', 'steps'],
    ],
    aliases: { ...shared.aliases, messages: 'prompt', input: 'prompt', tools: 'POST /api/chat' },
  },
}

/** The fields of a body and its options that say nothing here, and would by another name or in another place. */
export function noteUnknownFields(fields: JsonObject, path: keyof typeof bodyFields): readonly Note[] {
  const given = fields['options']
  const inner = isJsonObject(given) ? [[given, knownOptions, 'options.'] as const] : []
  return noteUnknown([[fields, bodyFields[path]], ...inner, ...functionsIn(fields)])
}

/** How the model is to answer: `options`, `format`, `think`, `logprobs`. Unknown options are left out, as Ollama does. */
export function readOptions(fields: JsonObject): OptionFields {
  const options = optional(object)(fields['options'], 'options') ?? {}
  const option = <T>(name: string, check: Check<T>): T | undefined => optional(check)(options[name], `options.${name}`)
  const predicted = option('num_predict', integer(Number.MIN_SAFE_INTEGER))
  const stop = option('stop', stops)
  return defined({
    sampling: defined({
      temperature: option('temperature', number),
      topP: option('top_p', number),
      presencePenalty: option('presence_penalty', number),
      frequencyPenalty: option('frequency_penalty', number),
      seed: option('seed', integer(Number.MIN_SAFE_INTEGER)),
      ...readLogprobs(fields),
    }),
    // Below that it means no limit.
    maxTokens: predicted !== undefined && predicted > 0 ? predicted : undefined,
    stop: stop?.length === 0 ? undefined : stop,
    responseFormat: readFormat(fields['format']),
    reasoning: readThink(fields['think']),
    extra: defined({
      ...Object.fromEntries(carried.map((name) => [name, option(name, number)])),
      keep_alive: fields['keep_alive'] ?? undefined,
    }),
  })
}

function readLogprobs(fields: JsonObject): { readonly logprobs?: boolean; readonly topLogprobs?: number } {
  const logprobs = optional(flag)(fields['logprobs'], 'logprobs')
  const topLogprobs = optional(integer(0))(fields['top_logprobs'], 'top_logprobs')
  return logprobs === true ? defined({ logprobs, topLogprobs: topLogprobs === 0 ? undefined : topLogprobs }) : {}
}

function readFormat(format: Json | undefined): Json | undefined {
  if (format === undefined || format === null || format === '') return undefined
  if (format === 'json') return { type: 'json_object' }
  if (isJsonObject(format)) {
    return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: format } }
  }
  fail('invalid_value', 'Invalid \'format\': expected "json" or a JSON schema.', 'format')
}

/** Ollama's most is what others call high. */
const efforts: Readonly<Record<string, string>> = { low: 'low', medium: 'medium', high: 'high', max: 'high' }

function readThink(think: Json | undefined): Reasoning | undefined {
  if (think === undefined || think === null || think === '') return undefined
  if (typeof think === 'boolean') return { enabled: think }
  const effort = typeof think === 'string' ? efforts[think.toLowerCase()] : undefined
  if (effort !== undefined) return { enabled: true, effort }
  const given = typeof think === 'string' ? quoted(think) : kindOf(think)
  fail(
    'invalid_value',
    `Invalid 'think': expected true, false, "low", "medium", "high" or "max", but got ${given} instead.`,
    'think',
  )
}
