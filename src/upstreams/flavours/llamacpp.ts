import { isJsonObject } from '../../protocol/json.ts'
import { words } from '../../protocol/text/words.ts'
import { type Flavour, gbnfField, isOwnedBy, schemaFormat, serverTraits, textAt, tokensAt } from './flavour.ts'

const greeting = [{ role: 'user', content: 'Hi' }]

/** It takes tools for every model and writes calls by a grammar; whether the template takes them is in its properties. */
export const llamacpp: Flavour = {
  name: 'llamacpp',
  title: 'llama.cpp',
  toolsRemedy: 'Start llama-server with --jinja, and a chat template that knows tools.',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'llamacpp') },
    { path: '/props', fits: (answer) => 'build_info' in answer || 'default_generation_settings' in answer },
  ],
  context: [{ path: '/props', read: ({ default_generation_settings: settings }) => tokensAt(settings, 'n_ctx') }],
  prompts: {
    thinking: { path: '/apply-template', body: (model) => ({ model, messages: greeting }) },
    thoughtless: {
      path: '/apply-template',
      body: (model) => ({ model, messages: greeting, chat_template_kwargs: { enable_thinking: false } }),
    },
    read: (answer) => textAt(answer, 'prompt'),
  },
  tools: {
    path: '/props',
    read: ({ chat_template_caps: caps }) => {
      if (!isJsonObject(caps) || typeof caps['supports_tool_calls'] !== 'boolean') return 'unknown'
      return caps['supports_tool_calls'] && caps['supports_tools'] !== false ? 'yes' : 'no'
    },
    abilities: ({ modalities }) =>
      isJsonObject(modalities) && typeof modalities['vision'] === 'boolean' ? { vision: modalities['vision'] } : {},
    template: (answer) => textAt(answer, 'chat_template_tool_use') ?? textAt(answer, 'chat_template'),
  },
  traits: {
    ...serverTraits,
    // Its models change, and so do their templates; asking costs nothing.
    knownForMs: 300_000,
    // An object here is taken for "auto" without a word.
    toolChoice: 'words',
    // With "none" it also takes a grammar beside tools.
    templateTools: { tool_choice: 'none', parse_tool_calls: false },
    // Its grammar allows any amount of prose before the call.
    requires: false,
    // Where the template opens a thought whatever it is told, the thought is cut short. A budget of 0 is one its server gets wrong.
    thinkingOff: { reasoning_effort: 'none', reasoning_budget_tokens: 16 },
    prefill: { by: 'trailing' },
    constraints: [gbnfField, schemaFormat],
    reasoning: 'sent',
    takes: words(`
      grammar json_schema top_k min_p typical_p top_n_sigma xtc_probability xtc_threshold dynatemp_range
      dynatemp_exponent repeat_penalty repeat_last_n dry_multiplier dry_base dry_allowed_length dry_penalty_last_n
      dry_sequence_breakers mirostat mirostat_tau mirostat_eta adaptive_target adaptive_decay samplers min_keep
      n_probs n_predict n_keep n_discard n_indent t_max_predict_ms ignore_eos post_sampling_probs backend_sampling
      chat_template_kwargs reasoning_format reasoning_budget_tokens thinking_budget_tokens parse_tool_calls
      add_generation_prompt continue_final_message cache_prompt id_slot timings_per_token return_progress
      return_tokens lora response_fields speculative.n_max speculative.n_min speculative.p_min
    `),
  },
}
