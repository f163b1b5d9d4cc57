import { type Flavour, plainTraits } from './flavour.ts'
import { isOwnedBy, textAt } from './read.ts'

/** Fields it does not know it ignores without a word, so a constraint must be spelt as its version spells it. */
export const vllm: Flavour = {
  name: 'vllm',
  title: 'vLLM',
  fingerprints: [
    { path: '/models', inside: true, fits: (answer) => isOwnedBy(answer, 'vllm') },
    { path: '/version', fits: (answer) => /^\d+\.\d+/.test(textAt(answer, 'version') ?? '') },
  ],
  version: (answer) => textAt(answer, 'version'),
  older: [{ before: '0.11.0', traits: { schema: 'guided_json' } }],
  traits: {
    ...plainTraits,
    passesAll: true,
    toolChoice: 'objects',
    thinkingOff: { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    prefill: { by: 'trailing', fields: { continue_final_message: true, add_generation_prompt: false } },
    schema: 'structured_outputs',
    stops: 16,
    reasoning: 'sent',
  },
}
