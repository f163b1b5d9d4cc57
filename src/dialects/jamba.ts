import type { Dialect } from './dialect.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <tool_calls>[{"name": "set_lamp", "arguments": {"room": "den"}}, {"name": "ping", "arguments": {}}]</tool_calls>
 */
export const jamba: Dialect = {
  name: 'jamba',
  models: 'Jamba 1.5 and later',
  speaks: /jamba/i,
  grammar: {
    section: { open: ['<tool_calls>'], close: ['</tool_calls>'] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
  },
  teaching: lesson({
    tools: { style: 'openai-json', open: '<tool_definitions>\n', separator: '\n', close: '\n</tool_definitions>\n\n' },
    how: 'To call tools, write a JSON array of objects with "name" and "arguments" inside <tool_calls></tool_calls>.',
    ...toolResponse,
  }),
}
