import { words } from '../../protocol/text/words.ts'
import {
  type Flavour,
  guidedGrammar,
  guidedSchema,
  isOwnedBy,
  serverTraits,
  structuredGrammar,
  structuredSchema,
  structuredTag,
  textAt,
} from './flavour.ts'

/** Fields it does not know it ignores without a word, so a constraint must be spelt as its version spells it. */
export const vllm: Flavour = {
  name: 'vllm',
  title: 'vLLM',
  toolsRemedy: 'Start vLLM with --enable-auto-tool-choice and the --tool-call-parser for this model.',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'vllm') },
    { path: '/version', fits: (answer) => /^\d+\.\d+/.test(textAt(answer, 'version') ?? '') },
  ],
  version: (answer) => textAt(answer, 'version'),
  older: [
    { before: '0.11.0', traits: { constraints: [guidedGrammar, guidedSchema] } },
    // It has structural tags, but not those whose content is a grammar.
    { before: '0.11.1', traits: { constraints: [structuredGrammar, structuredSchema] } },
  ],
  traits: {
    ...serverTraits,
    toolChoice: 'objects',
    // Without it a call is made, and its arguments are any JSON (0.32).
    strict: 'forced',
    // Some families' marks are special tokens, which it leaves out of the text unless it is told not to.
    templateTools: { tool_choice: 'none', skip_special_tokens: false },
    thinkingOff: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    prefill: { by: 'trailing', fields: { continue_final_message: true, add_generation_prompt: false } },
    constraints: [structuredGrammar, structuredTag, structuredSchema],
    reasoning: 'sent',
    takes: words(`
      top_k min_p repetition_penalty length_penalty min_tokens stop_token_ids bad_words allowed_token_ids
      include_stop_str_in_output ignore_eos skip_special_tokens spaces_between_special_tokens
      truncate_prompt_tokens use_beam_search prompt_logprobs structured_outputs structural_tag guided_json
      guided_regex guided_choice guided_grammar guided_json_object guided_decoding_backend
      guided_whitespace_pattern chat_template chat_template_kwargs documents add_generation_prompt
      continue_final_message add_special_tokens mm_processor_kwargs include_reasoning thinking_token_budget
      priority request_id cache_salt kv_transfer_params vllm_xargs logits_processors return_token_ids
      return_tokens_as_token_ids
    `),
  },
}
