import { isJsonObject } from '../../protocol/json.ts'
import { ebnfFormat, type Flavour, isOwnedBy, listAt, plainTraits, schemaFormat, tagFormat, textAt } from './flavour.ts'

/** Another gateway like this one. It answers Ollama's questions as well, whatever stands behind it. */
export const dragoman: Flavour = {
  name: 'dragoman',
  title: 'Dragoman',
  fingerprints: [
    {
      path: '/models',
      inside: true,
      fits: (answer) => listAt(answer, 'data').some((one) => isJsonObject(one['dragoman'])),
    },
    // Before it has a model.
    { path: '/livez', fits: (answer) => textAt(answer, 'status') === 'live' },
  ],
  traits: { ...plainTraits, nativeTools: 'yes', reasoning: 'sent', takes: 'all' },
}

/** A frontend before vLLM, SGLang or TensorRT-LLM: what it takes is what all of them do. */
export const dynamo: Flavour = {
  name: 'dynamo',
  title: 'NVIDIA Dynamo',
  toolsRemedy: 'Start the Dynamo worker with the --dyn-tool-call-parser for this model.',
  fingerprints: [
    {
      path: '/health',
      fits: ({ endpoints }) =>
        Array.isArray(endpoints) && endpoints.some((one) => typeof one === 'string' && one.startsWith('dyn://')),
    },
  ],
  traits: {
    ...plainTraits,
    passesAll: true,
    customTools: false,
    providerMetadata: 'dropped',
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
    constraints: [tagFormat, schemaFormat],
    stops: 16,
    takes: ['top_k', 'min_p', 'repetition_penalty', 'ignore_eos', 'min_tokens', 'chat_template_kwargs', 'nvext'],
  },
}

/** It refuses fields it does not know, and holds answers to grammars where guided decoding was switched on. */
export const trtllm: Flavour = {
  name: 'trtllm',
  title: 'TensorRT-LLM',
  toolsRemedy: 'Start trtllm-serve with the --tool_parser for this model.',
  fingerprints: [{ path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'tensorrt_llm') }],
  traits: {
    ...plainTraits,
    passesAll: true,
    customTools: false,
    providerMetadata: 'dropped',
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
    constraints: [ebnfFormat, tagFormat, schemaFormat],
    stops: 16,
    takes: ['top_k', 'min_p', 'repetition_penalty', 'length_penalty', 'min_tokens', 'chat_template_kwargs'],
  },
}

/** One call an answer, always under a grammar, with ids that begin anew with every answer. */
export const tgi: Flavour = {
  name: 'tgi',
  title: 'TGI',
  fingerprints: [
    {
      path: '/info',
      fits: (answer) =>
        textAt(answer, 'model_id') !== undefined && ('max_total_tokens' in answer || 'router' in answer),
    },
  ],
  alive: { path: '/info' },
  traits: {
    ...plainTraits,
    passesAll: true,
    customTools: false,
    providerMetadata: 'dropped',
    toolChoice: 'name',
    calls: 'whole',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    constraints: [schemaFormat],
    names: false,
    strict: false,
    drops: ['logit_bias', 'user', 'reasoning_effort'],
    takes: ['tool_prompt', 'guideline'],
  },
}

/** Servers that are known by name and taken as any other: their list of models says whose it is. */
function definePlain(name: string, title: string, owner: string, fingerprints: Flavour['fingerprints'] = []): Flavour {
  const owned = {
    path: '/models',
    inside: true,
    fits: (answer: Parameters<typeof isOwnedBy>[0]) => isOwnedBy(answer, owner),
  }
  return { name, title, fingerprints: [owned, ...fingerprints], traits: plainTraits }
}

/** It answers Ollama's questions as well. */
export const koboldcpp = definePlain('koboldcpp', 'KoboldCpp', 'koboldcpp', [
  { path: '/api/extra/version', fits: (answer) => textAt(answer, 'result') === 'KoboldCpp' },
])
export const tabbyapi = definePlain('tabbyapi', 'TabbyAPI', 'tabbyAPI')
export const llamaSwap = definePlain('llama-swap', 'llama-swap', 'llama-swap')
export const dockerModelRunner = definePlain('docker', 'Docker Model Runner', 'docker')

/** Any other service. */
export const unknown: Flavour = { name: 'unknown', traits: plainTraits }
