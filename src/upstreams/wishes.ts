import type { Request } from '../protocol/request.ts'

/** What a request asks of the answer, by the names OpenAI's wire has for it; what it does not ask for is undefined. */
export function wishesOf({ sampling, stop, responseFormat, reasoning }: Request) {
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
