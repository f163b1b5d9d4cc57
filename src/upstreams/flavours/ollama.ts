import { type Flavour, plainTraits } from './flavour.ts'
import { isOwnedBy, textAt } from './read.ts'

/** Its OpenAI layer takes `tool_choice` and does not look at it. */
export const ollama: Flavour = {
  name: 'ollama',
  title: 'Ollama',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'library') },
    { path: '/api/version', fits: (answer) => textAt(answer, 'version') !== undefined },
  ],
  tools: {
    path: '/api/show',
    body: (model) => ({ model }),
    read: ({ capabilities }) => {
      if (!Array.isArray(capabilities)) return 'unknown'
      return capabilities.includes('tools') ? 'yes' : 'no'
    },
  },
  traits: {
    ...plainTraits,
    toolChoice: 'unheard',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    schema: 'response_format',
    stops: 16,
    strict: false,
    drops: ['logit_bias', 'user'],
  },
}
