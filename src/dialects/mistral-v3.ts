import type { Dialect, IdForm } from './dialect.ts'
import { lesson } from './teaching.ts'

export const nineAlphanumerics: IdForm = {
  alphabet: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  length: 9,
}

/**
 * [TOOL_CALLS] [{"name": "set_lamp", "arguments": {"room": "den"}, "id": "a1B2c3D4e"}]
 */
export const mistralV3: Dialect = {
  name: 'mistral-v3',
  models: 'Mistral 7B v0.3, Nemo, Mixtral, Small up to 3.1',
  speaks: /mistral-?(?:7b|nemo|large-2)|mixtral|mistral-small-(?:22|24|2409|2501|2503)/i,
  grammar: {
    section: { open: ['[TOOL_CALLS]'], close: ['[/TOOL_CALLS]'] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', idKey: 'id', array: true },
    ids: nineAlphanumerics,
  },
  dropped: ['</s>'],
  reasoning: [{ open: ['[THINK]'], close: ['[/THINK]'] }],
  teaching: lesson({
    tools: { style: 'openai-json', open: '[AVAILABLE_TOOLS] [', separator: ', ', close: '][/AVAILABLE_TOOLS]\n\n' },
    how: 'To call tools, write [TOOL_CALLS] and then a JSON array of objects with "name", "arguments" and "id".',
    result: '[TOOL_RESULTS] {"content": {content}, "call_id": "{id}"}[/TOOL_RESULTS]',
    resultSeparator: '\n',
  }),
}
