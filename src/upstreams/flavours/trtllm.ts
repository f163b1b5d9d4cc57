import { ebnfFormat, schemaFormat, tagFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'
import { isOwnedBy } from './read.ts'

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
