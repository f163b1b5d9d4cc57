import { isJsonObject } from '../../protocol/json.ts'
import { schemaFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'
import { listAt } from './read.ts'

/** The service behind a model may change from one request to the next: what is known of it is soon forgotten. */
export const openrouter: Flavour = {
  name: 'openrouter',
  title: 'OpenRouter',
  hosts: ['openrouter.ai'],
  tools: {
    path: '/models',
    inside: true,
    read: (answer, model) => {
      const parameters = listAt(answer, 'data').find(({ id }) => id === model)?.['supported_parameters']
      if (!Array.isArray(parameters)) return 'unknown'
      return parameters.includes('tools') ? 'yes' : 'no'
    },
    abilities: (answer, model) => {
      const { architecture, supported_parameters: parameters } =
        listAt(answer, 'data').find(({ id }) => id === model) ?? {}
      const inputs = isJsonObject(architecture) ? architecture['input_modalities'] : undefined
      return {
        ...(Array.isArray(inputs) && { vision: inputs.includes('image') }),
        ...(Array.isArray(parameters) && { thinking: parameters.includes('reasoning') }),
      }
    },
  },
  traits: {
    ...plainTraits,
    customTools: false,
    knownForMs: 600_000,
    toolChoice: 'objects',
    constraints: [schemaFormat],
    reasoning: 'sent',
    providerMetadata: 'remembered',
    headers: { 'x-title': 'Dragoman' },
    takes: [
      'top_k',
      'top_a',
      'min_p',
      'repetition_penalty',
      'models',
      'route',
      'provider',
      'plugins',
      'transforms',
      'reasoning',
      'include_reasoning',
      'thinking',
      'verbosity',
      'structured_outputs',
      'modalities',
      'image_config',
      'web_search_options',
      'prediction',
      'max_tool_calls',
      'usage',
      'metadata',
      'session_id',
      'trace',
      'prompt_cache_key',
      'service_tier',
      'cache_control',
    ],
  },
}
