import type { Dialect, Grammar } from './dialect.ts'
import { lesson, toolResponse } from './teaching.ts'

const grammar: Grammar = {
  call: { open: ['<tool_call>{name}\n'], close: ['</tool_call>'] },
  separator: '\n',
  arguments: {
    as: 'tagged',
    open: '<arg_key>{key}</arg_key>\n<arg_value>',
    close: '</arg_value>',
    also: ['</arg_value>', ''].map((end) => ({ open: `<arg_key>{key}${end}\n<arg_value>`, close: '</arg_value>' })),
    layout: 'inline',
  },
}

/**
 * <tool_call>set_lamp
 * <arg_key>room</arg_key>
 * <arg_value>den</arg_value>
 * </tool_call>
 */
export const glm45: Dialect = {
  name: 'glm-4.5',
  models: 'GLM-4.5, GLM-4.6',
  speaks: /glm-?4\.[56]/i,
  grammar,
  // Without `<tool_call>`.
  variants: [{ ...grammar, call: { ...grammar.call, open: [] }, marks: 'names' }],
  dropped: ['<|observation|>', '<|user|>', '<|assistant|>'],
  leading: ['<|assistant|>'],
  teaching: lesson({
    how: 'To call a tool, write <tool_call> with its name, then an <arg_key> and an <arg_value> element per argument on lines of their own, and </tool_call>.',
    ...toolResponse,
  }),
}
