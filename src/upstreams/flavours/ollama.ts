import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { ContextWindow } from '../upstream.ts'
import { type Flavour, isOwnedBy, listAt, schemaFormat, serverTraits, textAt, tokensAt } from './flavour.ts'
import { ollamaChat } from './ollama-chat.ts'

/** Its OpenAI layer takes `tool_choice` and does not look at it. */
export const ollama: Flavour = {
  name: 'ollama',
  title: 'Ollama',
  toolsRemedy: 'Update Ollama, or pull a model that its library marks with "tools".',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'library') },
    { path: '/api/version', fits: (answer) => textAt(answer, 'version') !== undefined },
  ],
  modelName: toFullName,
  alive: { path: '/api/version' },
  context: [
    {
      path: '/api/ps',
      read: (answer, model) => {
        const loaded = listAt(answer, 'models').find(
          (one) => toFullName(textAt(one, 'model') ?? '') === toFullName(model),
        )
        return tokensAt(loaded, 'context_length')
      },
    },
    { path: '/api/show', body: (model) => ({ model }), read: readShown },
  ],
  chat: ollamaChat,
  tools: {
    path: '/api/show',
    body: (model) => ({ model }),
    read: ({ capabilities }) => {
      if (!Array.isArray(capabilities)) return 'unknown'
      return capabilities.includes('tools') ? 'yes' : 'no'
    },
    abilities: ({ capabilities }) =>
      Array.isArray(capabilities)
        ? { vision: capabilities.includes('vision'), thinking: capabilities.includes('thinking') }
        : {},
    template: (answer) => textAt(answer, 'template'),
  },
  traits: {
    ...serverTraits,
    // Its models change, and so do their templates; asking costs nothing.
    knownForMs: 300_000,
    cutsPrompts: true,
    contextRemedy:
      'Set OLLAMA_CONTEXT_LENGTH for Ollama, num_ctx in the Modelfile, or `context` for this upstream in the configuration.',
    toolChoice: 'ignored',
    requires: false,
    thinkingOff: { reasoning_effort: 'none' },
    calls: 'whole',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    constraints: [schemaFormat],
    strict: 'never',
    drops: ['logit_bias', 'user'],
    takes: ['reasoning'],
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

/** What the model could have, and what its Modelfile sets. */
function readShown({ model_info: info, parameters }: JsonObject): ContextWindow {
  const most = isJsonObject(info)
    ? Object.entries(info).find(([key, value]) => key.endsWith('.context_length') && typeof value === 'number')?.[1]
    : undefined
  const set = typeof parameters === 'string' ? /^num_ctx\s+(\d+)/m.exec(parameters)?.[1] : undefined
  return { ...(typeof most === 'number' && { most }), ...(set !== undefined && { tokens: Number(set) }) }
}
