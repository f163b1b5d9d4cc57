import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { words } from '../../protocol/text/words.ts'
import {
  ebnfField,
  ebnfFormat,
  type Flavour,
  isOwnedBy,
  listAt,
  plainTraits,
  schemaFormat,
  serverTraits,
  tagFormat,
  textAt,
} from './flavour.ts'

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
    ...serverTraits,
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
    constraints: [tagFormat, schemaFormat],
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
    ...serverTraits,
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
    constraints: [ebnfFormat, tagFormat, schemaFormat],
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
    ...serverTraits,
    toolChoice: 'name',
    calls: 'whole',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    constraints: [schemaFormat],
    stops: 4,
    names: false,
    strict: 'never',
    drops: ['logit_bias', 'user', 'reasoning_effort'],
    takes: ['tool_prompt', 'guideline'],
  },
}

/** Without a parser it says nothing and leaves calls in the text, so it has to be asked. */
export const sglang: Flavour = {
  name: 'sglang',
  title: 'SGLang',
  toolsRemedy: 'Start SGLang with the --tool-call-parser for this model.',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'sglang') },
    { path: '/model_info', fits: (answer) => 'tool_call_parser' in answer || 'is_generation' in answer },
  ],
  tools: {
    path: '/model_info',
    read: (answer) => {
      if (!('tool_call_parser' in answer)) return 'unknown'
      return typeof answer['tool_call_parser'] === 'string' ? 'yes' : 'no'
    },
  },
  traits: {
    ...serverTraits,
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    prefill: { by: 'trailing', fields: { continue_final_message: true } },
    constraints: [ebnfField, tagFormat, schemaFormat],
    reasoning: 'sent',
    takes: words(`
      top_k min_p repetition_penalty min_tokens stop_token_ids stop_regex no_stop_trim ignore_eos
      skip_special_tokens regex ebnf chat_template_kwargs continue_final_message separate_reasoning
      stream_reasoning lora_path session_params custom_logit_processor custom_params return_hidden_states priority
      rid extra_key cache_salt
    `),
  },
}

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
    ...serverTraits,
    // Its models change, and so do their templates; asking costs nothing.
    knownForMs: 300_000,
    toolChoice: 'words',
    parallelCalls: false,
    prefill: { by: 'trailing' },
    constraints: [schemaFormat],
    takes: ['top_k', 'min_p', 'repeat_penalty', 'ttl', 'draft_model'],
  },
}

function capabilitiesOf(answer: JsonObject, model: string): JsonObject {
  const found = listAt(answer, 'models').find(({ key, id }) => key === model || id === model)
  const capabilities = found?.['capabilities']
  return isJsonObject(capabilities) ? capabilities : {}
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
