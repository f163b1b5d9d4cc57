import { type Flavour, plainTraits } from './flavour.ts'

/** Its thinking models want back what they thought before a call, and most clients have dropped it. */
export const deepseek: Flavour = {
  name: 'deepseek',
  title: 'DeepSeek',
  hosts: ['api.deepseek.com'],
  traits: {
    ...plainTraits,
    customTools: false,
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
