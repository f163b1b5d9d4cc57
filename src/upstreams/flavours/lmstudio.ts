import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { type Flavour, listAt, plainTraits, schemaFormat } from './flavour.ts'

export const lmstudio: Flavour = {
  name: 'lmstudio',
  title: 'LM Studio',
  toolsRemedy: 'Update LM Studio, or load a model it marks as trained for tool use.',
  fingerprints: [
    { path: '/api/v1/models', fits: (answer) => listAt(answer, 'models').some((model) => 'loaded_instances' in model) },
    { path: '/api/v0/models', fits: (answer) => listAt(answer, 'data').some((model) => 'max_context_length' in model) },
  ],
  tools: {
    path: '/api/v1/models',
    read: (answer, model) => {
      const { trained_for_tool_use: trained } = capabilitiesOf(answer, model)
      return trained === true ? 'yes' : trained === false ? 'no' : 'unknown'
    },
    abilities: (answer, model) => {
      const { vision } = capabilitiesOf(answer, model)
      return typeof vision === 'boolean' ? { vision } : {}
    },
  },
  traits: {
    ...plainTraits,
    // Its models change, and so do their templates; asking costs nothing.
    knownForMs: 300_000,
    passesAll: true,
    customTools: false,
    providerMetadata: 'dropped',
    toolChoice: 'words',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    constraints: [schemaFormat],
    stops: 16,
    takes: ['top_k', 'min_p', 'repeat_penalty', 'ttl', 'draft_model'],
  },
}

function capabilitiesOf(answer: JsonObject, model: string): JsonObject {
  const found = listAt(answer, 'models').find(({ key, id }) => key === model || id === model)
  const capabilities = found?.['capabilities']
  return isJsonObject(capabilities) ? capabilities : {}
}
