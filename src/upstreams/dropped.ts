import type { UpstreamEvent, UpstreamRequest } from './upstream.ts'

/** Fields that change nothing in an answer: whoever does not take them need not say so. */
const inert: ReadonlySet<string> = new Set([
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'user',
])

/** What a request asks for that a service has no way to be told, as a note; none when that is nothing. */
export function droppedNote(request: UpstreamRequest, takes: ReadonlySet<string>): readonly UpstreamEvent[] {
  const { sampling, maxTokens, stop, responseFormat, reasoningEffort, extra } = request
  const given: Readonly<Record<string, unknown>> = {
    max_tokens: maxTokens,
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
    reasoning_effort: reasoningEffort,
    ...extra,
  }
  const fields = Object.keys(given).filter(
    (field) => given[field] !== undefined && given[field] !== null && !takes.has(field) && !inert.has(field),
  )
  return fields.length === 0 ? [] : [{ type: 'note', kind: 'field_dropped', detail: fields.join(', ') }]
}

/** The same answer, with notes before its first words. */
export async function* tellFirst(
  notes: readonly UpstreamEvent[],
  reads: AsyncIterable<readonly UpstreamEvent[]>,
): AsyncGenerator<readonly UpstreamEvent[], void> {
  let untold = notes
  for await (const events of reads) {
    yield untold.length === 0 ? events : [...untold, ...events]
    untold = []
  }
}
