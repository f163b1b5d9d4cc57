import { schemaFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'

/** It refuses every field it does not know. */
export const mistral: Flavour = {
  name: 'mistral',
  title: 'Mistral',
  hosts: ['api.mistral.ai', 'codestral.mistral.ai'],
  traits: {
    ...plainTraits,
    customTools: false,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    toolChoice: 'any',
    callIds: 'nine-alphanumerics',
    prefill: { by: 'trailing', mark: { prefix: true } },
    constraints: [schemaFormat],
    usage: 'unasked',
    names: false,
    drops: ['logprobs', 'top_logprobs', 'logit_bias', 'user', 'seed', 'reasoning_effort'],
    takes: ['safe_prompt', 'random_seed', 'prediction', 'prompt_mode', 'metadata'],
  },
}
