import { schemaFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'

export const openai: Flavour = {
  name: 'openai',
  title: 'OpenAI',
  hosts: ['api.openai.com'],
  traits: {
    ...plainTraits,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    maxTokens: 'max_completion_tokens',
    constraints: [schemaFormat],
    takes: [
      'verbosity',
      'modalities',
      'audio',
      'prediction',
      'web_search_options',
      'moderation',
      'store',
      'metadata',
      'service_tier',
      'safety_identifier',
      'prompt_cache_key',
      'prompt_cache_retention',
      'prompt_cache_options',
    ],
  },
}
