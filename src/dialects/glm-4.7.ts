import type { Dialect } from './dialect.ts'
import { glm45, keysAndValues } from './glm-4.5.ts'
import { lesson } from './teaching.ts'

/**
 * <tool_call>set_lamp<arg_key>room</arg_key><arg_value>den</arg_value></tool_call>
 */
export const glm47: Dialect = {
  ...glm45,
  name: 'glm-4.7',
  models: 'GLM-4.7, GLM-5, Ling 3 and Ring 3',
  speaks: /glm-?(?:4\.[7-9]|[5-9](?!\d*b))|\b(?:ling|ring)-?[3-9]/i,
  grammar: {
    ...glm45.grammar,
    call: { open: ['<tool_call>{name}'], close: ['</tool_call>'] },
    arguments: keysAndValues(''),
  },
  teaching: lesson({
    how: 'To call a tool, write <tool_call> with its name, then an <arg_key> and an <arg_value> element per argument without line breaks, and </tool_call>.',
    result: '<tool_response>{content}</tool_response>',
    resultSeparator: '',
  }),
}
