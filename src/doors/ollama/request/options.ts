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

type Wishes = Pick<Request, 'sampling' | 'maxTokens' | 'stop' | 'responseFormat' | 'reasoning' | 'extra'>

/** Options that some services take under the same name. */
const carried = ['top_k', 'min_p', 'typical_p', 'repeat_penalty', 'num_ctx'] as const

const number: Check<number> = (value, path) => (typeof value === 'number' ? value : wrongType(value, path, 'a number'))
const stops: Check<readonly string[]> = (value, path) =>
  typeof value === 'string' ? [value] : array(text)(value, path)

/** How the model is to answer: `options`, `format`, `think`, `logprobs`. Options nobody knows are left out, as Ollama does. */
export function readWishes(fields: JsonObject): Wishes {
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
