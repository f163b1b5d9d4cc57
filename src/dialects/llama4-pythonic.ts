import type { Dialect } from './dialect.ts'
import { pythonic } from './pythonic.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <|python_start|>[set_lamp(room="den"), ping()]<|python_end|>
 */
export const llama4Pythonic: Dialect = {
  ...pythonic,
  name: 'llama4-pythonic',
  models: 'Llama 4',
  speaks: /llama-?[4-9](?!\d*b)/i,
  variants: [],
  grammar: {
    ...pythonic.grammar,
    isFallback: false,
    section: { open: ['<|python_start|>[', '['], close: [']<|python_end|>', ']'] },
  },
  dropped: ['<|python_end|>', '<|eom|>', '<|eot|>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a Python list of calls with keyword arguments between <|python_start|> and <|python_end|>.',
    result: '{name}() returned: {content}',
    resultSeparator: '\n',
  }),
}
