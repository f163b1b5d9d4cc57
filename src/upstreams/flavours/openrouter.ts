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
  },
  traits: {
    ...plainTraits,
    knownForMs: 600_000,
    toolChoice: 'objects',
    schema: 'response_format',
    reasoning: 'sent',
    headers: { 'x-title': 'Dragoman' },
  },
}
