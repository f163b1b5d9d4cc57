import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * functools[{"name": "set_lamp", "arguments": {"room": "den"}}]
 */
export const functools: Dialect = {
  name: 'functools',
  models: 'Phi-4-mini, FireFunction v2',
  speaks: /phi-?[4-9]-mini|firefunction/i,
  grammar: {
    section: { open: ['functools', '<|tool_call|>'], close: ['<|/tool_call|>'] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
    isFallback: true,
  },
  teaching: lesson({
    tools: { style: 'function-json', open: '<|tool|>[', separator: ',\n', close: ']<|/tool|>\n\n' },
    how: 'To call tools, write functools followed at once by a JSON array of objects with "name" and "arguments".',
    result: 'Result of {name}: {content}',
    resultSeparator: '\n\n',
  }),
}
