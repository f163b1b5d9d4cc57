import { schemaFormat } from './constraints.ts'
import { type Flavour, plainTraits } from './flavour.ts'
import { textAt } from './read.ts'

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
