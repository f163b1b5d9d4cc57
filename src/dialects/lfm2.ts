import type { Dialect } from './dialect.ts'
import { pythonic } from './pythonic.ts'
import { lesson } from './teaching.ts'

/**
 * <|tool_call_start|>[set_lamp(room="den")]<|tool_call_end|>
 */
export const lfm2: Dialect = {
  ...pythonic,
  name: 'lfm2',
  models: 'LFM2, LFM2.5',
  speaks: /lfm-?[2-9](?!\d*b)/i,
  variants: [],
  grammar: {
    ...pythonic.grammar,
    isFallback: false,
    section: {
      open: ['<|tool_call_start|>[', '<|tool_call_start|>'],
      close: [']<|tool_call_end|>', '<|tool_call_end|>', ']'],
    },
    marks: 'own',
  },
  dropped: ['<|im_end|>'],
  teaching: lesson({
    tools: { style: 'function-json', open: '<|tool_list_start|>[', separator: ', ', close: ']<|tool_list_end|>\n\n' },
    how: 'To call tools, write a Python list of calls with keyword arguments between <|tool_call_start|> and <|tool_call_end|>.',
    result: '<|tool_response_start|>{content}<|tool_response_end|>',
    resultSeparator: '\n',
  }),
}
