import { type Flavour, plainTraits } from './flavour.ts'
import { isOwnedBy, textAt } from './read.ts'

/** Its OpenAI layer takes `tool_choice` and does not look at it. */
export const ollama: Flavour = {
  name: 'ollama',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'library') },
    { path: '/api/version', fits: (answer) => textAt(answer, 'version') !== undefined },
  ],
  modelName: toFullName,
  alive: { path: '/api/version' },
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
    requires: false,
    thinkingOff: { reasoning_effort: 'none' },
    calls: 'whole',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    schema: 'response_format',
    stops: 16,
    strict: false,
    drops: ['logit_bias', 'user'],
  },
}

/** `tiny`, `Tiny:latest` and `library/tiny` are one model. */
export function toFullName(name: string): string {
  const parts = name.toLowerCase().split('/')
  const last = parts.at(-1) ?? ''
  const tagged = last.includes(':') ? last : `${last}:latest`
  const [host = 'registry.ollama.ai', namespace = 'library'] =
    parts.length > 2 ? parts.slice(-3) : [undefined, ...parts.slice(0, -1)]
  return `${host}/${namespace}/${tagged}`
}
