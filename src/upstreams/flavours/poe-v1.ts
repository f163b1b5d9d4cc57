import { type Flavour, plainTraits } from './flavour.ts'

/** Poe's own OpenAI-compatible endpoint. Which of its bots heed tools is not told. */
export const poeV1: Flavour = {
  name: 'poe-v1',
  title: 'Poe',
  hosts: ['api.poe.com'],
  traits: {
    ...plainTraits,
    knownForMs: 600_000,
    maxTokens: 'max_completion_tokens',
    toolChoice: 'objects',
    strict: false,
    drops: [
      'seed',
      'logit_bias',
      'presence_penalty',
      'frequency_penalty',
      'logprobs',
      'top_logprobs',
      'user',
      'response_format',
      'reasoning_effort',
    ],
    takes: 'all',
  },
}
