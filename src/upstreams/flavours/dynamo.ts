import { schemaFormat, tagFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'

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
