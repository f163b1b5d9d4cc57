import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * [{"name": "set_lamp", "arguments": {"room": "den"}}]
 */
export const xlam: Dialect = {
  name: 'xlam',
  models: 'xLAM 2',
  speaks: /xlam/i,
  grammar: {
    section: { open: ['[TOOL_CALLS]'], close: [] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
    marks: 'none',
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, answer with nothing but a JSON array of objects that have a "name" and "arguments".',
    result: '{name} returned: {content}',
    resultSeparator: '\n',
  }),
}
