import type { Request } from '../protocol/request.ts'
import type { UpstreamEvent, UpstreamRequest } from './upstream.ts'
import type { EventStep } from './wire/stream.ts'

/** Fields that change nothing in an answer: dropping them needs no note. */
const inert: ReadonlySet<string> = new Set([
  ...['user', 'metadata', 'store', 'safety_identifier', 'service_tier', 'stream_options', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'prompt_cache_options', 'cache_prompt', 'cache_control', 'cache_salt', 'id_slot'],
  ...['keep_alive', 'ttl', 'priority', 'request_id', 'rid', 'session_id', 'trace', 'usage', 'timings_per_token'],
  ...['return_progress', 'return_token_ids', 'return_tokens', 'return_tokens_as_token_ids'],
])

export function isInert(field: string): boolean {
  return inert.has(field)
}

/** Fields of a request that a text-only service has no place for. */
export function fieldsBeside(request: UpstreamRequest, takes: ReadonlySet<string>): readonly string[] {
  const { maxTokens, extra } = request
  const given: Readonly<Record<string, unknown>> = { max_tokens: maxTokens, ...samplingFields(request), ...extra }
  return Object.keys(given).filter(
    (field) => given[field] !== undefined && given[field] !== null && !takes.has(field) && !inert.has(field),
  )
}

/** That these fields were left out, as a note; none when there are none. */
export function droppedNote(fields: readonly string[]): readonly UpstreamEvent[] {
  return fields.length === 0 ? [] : [{ type: 'note', kind: 'field_dropped', detail: fields.join(', ') }]
}

/** Puts notes before the first words of an answer. */
export function withNotes(notes: readonly UpstreamEvent[]): EventStep {
  let pending = notes
  return {
    pass(events) {
      const told = pending.length === 0 ? events : [...pending, ...events]
      pending = []
      return told
    },
  }
}

/** What a request asks of the answer, by the names OpenAI's wire has for it; what it does not ask for is undefined. */
export function samplingFields({ sampling, stop, responseFormat, reasoning }: Request) {
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    seed: sampling.seed,
    logit_bias: sampling.logitBias,
    logprobs: sampling.logprobs,
    top_logprobs: sampling.topLogprobs,
    stop,
    response_format: responseFormat,
    reasoning_effort: reasoning?.effort,
  }
}
