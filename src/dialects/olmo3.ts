import type { Dialect } from './dialect.ts'
import { pythonic } from './pythonic.ts'
import { lesson } from './teaching.ts'

/**
 * <function_calls>
 * set_lamp(room="den")
 * ping()
 * </function_calls>
 */
export const olmo3: Dialect = {
  ...pythonic,
  name: 'olmo3',
  models: 'OLMo 3',
  speaks: /olmo-?[3-9](?!\d*b)/i,
  variants: [],
  grammar: {
    ...pythonic.grammar,
    isFallback: false,
    // The second is what others write who half remember Hermes.
    section: { open: ['<function_calls>\n', '<tool_call>\n'], close: ['\n</function_calls>', '\n</tool_call>'] },
    separator: '\n',
    marks: 'own',
  },
  teaching: lesson({
    tools: { style: 'function-json', open: '<functions>', separator: '\n', close: '</functions>\n\n' },
    how: 'To call tools, write one call with keyword arguments a line inside <function_calls></function_calls>.',
    result: 'environment: {content}',
    resultSeparator: '\n',
  }),
}
