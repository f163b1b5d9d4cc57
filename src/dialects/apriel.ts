import type { Dialect } from './dialect.ts'
import { jamba } from './jamba.ts'
import { lesson } from './teaching.ts'

/**
 * Here are my reasoning steps: dim it
 * [BEGIN FINAL RESPONSE]
 * <tool_calls>[{"name": "set_lamp", "arguments": {"room": "den"}, "id": "0"}]</tool_calls>
 */
export const apriel: Dialect = {
  ...jamba,
  name: 'apriel',
  models: 'Apriel 1.5 and 1.6',
  speaks: /apriel/i,
  grammar: {
    ...jamba.grammar,
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', idKey: 'id', array: true },
    ids: { template: '{number}', first: 0 },
  },
  reasoning: [{ open: ['Here are my reasoning steps:'], close: ['[BEGIN FINAL RESPONSE]'] }],
  dropped: ['[END FINAL RESPONSE]', '<|end|>'],
  teaching: lesson({
    tools: { style: 'openai-json', open: '<available_tools>\n', separator: '\n', close: '\n</available_tools>\n\n' },
    how: 'To call tools, write a JSON array of objects with "name", "arguments" and "id" inside <tool_calls></tool_calls>.',
    result: '<tool_result id="{id}">\n{content}\n</tool_result>',
    resultSeparator: '\n',
  }),
}
