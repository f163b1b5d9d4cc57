import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * [set_lamp(room="den", tags=['a', "b"], on=True), ping()]
 */
export const pythonic: Dialect = {
  name: 'pythonic',
  models: 'Llama 3.2 1B and 3B, ToolACE, Gemma 3',
  speaks: /llama-?3\.2|toolace|gemma-?3(?!n)/i,
  grammar: {
    section: { open: ['['], close: [']'] },
    call: { open: ['{name}('], close: [')'] },
    separator: ', ',
    arguments: { as: 'keywords' },
    faint: true,
    isFallback: true,
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, answer with nothing but a Python list of calls with keyword arguments.',
    result: '{name}() returned: {content}',
    resultSeparator: '\n',
  }),
}
