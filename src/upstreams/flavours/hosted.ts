import { isJsonObject } from '../../protocol/json.ts'
import { words } from '../../protocol/text/words.ts'
import { type Flavour, listAt, plainTraits, schemaFormat } from './flavour.ts'

export const openai: Flavour = {
  name: 'openai',
  title: 'OpenAI',
  hosts: ['api.openai.com'],
  traits: {
    ...plainTraits,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    maxTokens: 'max_completion_tokens',
    customTools: true,
    constraints: [schemaFormat],
    takes: words(`
      verbosity modalities audio prediction web_search_options moderation store metadata service_tier
      safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options
    `),
  },
}

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
    knownForMs: 600_000,
    toolChoice: 'objects',
    constraints: [schemaFormat],
    reasoning: 'sent',
    providerMetadata: 'remembered',
    headers: { 'x-title': 'Dragoman' },
    takes: words(`
      top_k top_a min_p repetition_penalty models route provider plugins transforms reasoning include_reasoning
      thinking verbosity structured_outputs modalities image_config web_search_options prediction max_tool_calls
      usage metadata session_id trace prompt_cache_key service_tier cache_control
    `),
  },
}

/** It refuses fields it does not know, inside messages too, and calls it cannot read, with the words of the model. */
export const groq: Flavour = {
  name: 'groq',
  title: 'Groq',
  hosts: ['api.groq.com'],
  traits: {
    ...plainTraits,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    maxTokens: 'max_completion_tokens',
    toolChoice: 'objects',
    constraints: [schemaFormat],
    names: false,
    strict: 'never',
    drops: ['logprobs', 'top_logprobs', 'logit_bias'],
    takes: words(`
      service_tier reasoning_format include_reasoning search_settings documents citation_options compound_custom
      exclude_domains include_domains disable_tool_validation metadata store
    `),
  },
}

/** It refuses every field it does not know. */
export const mistral: Flavour = {
  name: 'mistral',
  title: 'Mistral',
  hosts: ['api.mistral.ai', 'codestral.mistral.ai'],
  traits: {
    ...plainTraits,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    toolChoice: 'any',
    callIds: 'nine-alphanumerics',
    prefill: { by: 'trailing', mark: { prefix: true } },
    constraints: [schemaFormat],
    usage: 'unasked',
    names: false,
    drops: ['logprobs', 'top_logprobs', 'logit_bias', 'user', 'seed', 'reasoning_effort'],
    takes: ['safe_prompt', 'random_seed', 'prediction', 'prompt_mode', 'metadata'],
  },
}

/** Its thinking models want back what they thought before a call, and most clients have dropped it. */
export const deepseek: Flavour = {
  name: 'deepseek',
  title: 'DeepSeek',
  hosts: ['api.deepseek.com'],
  traits: {
    ...plainTraits,
    providerMetadata: 'dropped',
    nativeTools: 'yes',
    toolChoice: 'objects',
    parallelCalls: false,
    stops: 16,
    reasoning: 'remembered',
    drops: ['logit_bias', 'seed', 'user'],
    takes: ['thinking'],
  },
}

/** Google's OpenAI-compatible endpoint. Its thinking models sign their calls and refuse a history without the signatures. */
export const gemini: Flavour = {
  name: 'gemini',
  title: 'Gemini',
  hosts: ['generativelanguage.googleapis.com', 'aiplatform.googleapis.com'],
  traits: {
    ...plainTraits,
    nativeTools: 'yes',
    providerMetadata: 'remembered',
    toolChoice: 'objects',
    constraints: [schemaFormat],
    takes: ['extra_body', 'modalities', 'audio', 'web_search_options', 'service_tier'],
  },
}

/** Poe's own OpenAI-compatible endpoint. Which of its bots heed tools is not told. */
export const poeV1: Flavour = {
  name: 'poe-v1',
  title: 'Poe',
  hosts: ['api.poe.com'],
  traits: {
    ...plainTraits,
    knownForMs: 600_000,
    maxTokens: 'max_completion_tokens',
    toolChoice: 'objects',
    strict: 'never',
    drops: words(`
      seed logit_bias presence_penalty frequency_penalty logprobs top_logprobs user response_format
      reasoning_effort
    `),
    takes: 'all',
  },
}
