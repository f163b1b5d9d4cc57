import { schemaFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'

/** It refuses fields it does not know, inside messages too, and calls it cannot read, with the words of the model. */
export const groq: Flavour = {
  name: 'groq',
  title: 'Groq',
  hosts: ['api.groq.com'],
  traits: {
    ...plainTraits,
    customTools: false,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    maxTokens: 'max_completion_tokens',
    toolChoice: 'objects',
    constraints: [schemaFormat],
    names: false,
    strict: false,
    drops: ['logprobs', 'top_logprobs', 'logit_bias'],
    takes: [
      'service_tier',
      'reasoning_format',
      'include_reasoning',
      'search_settings',
      'documents',
      'citation_options',
      'compound_custom',
      'exclude_domains',
      'include_domains',
      'disable_tool_validation',
      'metadata',
      'store',
    ],
  },
}
