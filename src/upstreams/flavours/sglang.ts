import { ebnfField, type Flavour, isOwnedBy, plainTraits, schemaFormat, tagFormat } from './flavour.ts'

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
    ...plainTraits,
    passesAll: true,
    customTools: false,
    providerMetadata: 'dropped',
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    prefill: { by: 'trailing', fields: { continue_final_message: true } },
    constraints: [ebnfField, tagFormat, schemaFormat],
    stops: 16,
    reasoning: 'sent',
    takes: [
      'top_k',
      'min_p',
      'repetition_penalty',
      'min_tokens',
      'stop_token_ids',
      'stop_regex',
      'no_stop_trim',
      'ignore_eos',
      'skip_special_tokens',
      'regex',
      'ebnf',
      'chat_template_kwargs',
      'continue_final_message',
      'separate_reasoning',
      'stream_reasoning',
      'lora_path',
      'session_params',
      'custom_logit_processor',
      'custom_params',
      'return_hidden_states',
      'priority',
      'rid',
      'extra_key',
      'cache_salt',
    ],
  },
}
