import type { Dialect } from './dialect.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <tool_calls>
 * <tool_call>set_lamp<tool_sep>
 * <arg_key>room</arg_key>
 * <arg_value>den</arg_value>
 * </tool_call>
 * </tool_calls>
 */
export const hyV3: Dialect = {
  name: 'hy-v3',
  models: 'Tencent Hy3',
  speaks: /\bhy-?[3-9](?!\d*b)|hunyuan-?[3-9](?!\d*b)/i,
  grammar: {
    section: {
      open: ['<tool_calls>\n', '<tool_calls:opensource>\n'],
      close: ['\n</tool_calls>', '\n</tool_calls:opensource>'],
    },
    call: {
      open: ['<tool_call>{name}<tool_sep>\n', '<tool_call:opensource>{name}<tool_sep:opensource>\n'],
      close: ['</tool_call>', '</tool_call:opensource>'],
    },
    separator: '\n',
    arguments: {
      as: 'tagged',
      open: '<arg_key>{key}</arg_key>\n<arg_value>',
      close: '</arg_value>',
      also: [
        {
          open: '<arg_key:opensource>{key}</arg_key:opensource>\n<arg_value:opensource>',
          close: '</arg_value:opensource>',
        },
      ],
      layout: 'inline',
    },
  },
  reasoning: [{ open: ['<think:opensource>'], close: ['</think:opensource>'] }],
  teaching: lesson({
    how: 'To call tools, write <tool_calls>, then for each <tool_call>, its name, <tool_sep>, an <arg_key> and an <arg_value> element per argument and </tool_call>, and at last </tool_calls>.',
    ...toolResponse,
  }),
}
