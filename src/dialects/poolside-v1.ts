import type { Dialect } from './dialect.ts'
import { glm45 } from './glm-4.5.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <tool_call>set_lamp
 * <arg_key>room</arg_key>
 * <arg_value>den</arg_value>
 * </tool_call>
 */
export const poolsideV1: Dialect = {
  ...glm45,
  name: 'poolside-v1',
  models: 'Laguna XS and S',
  speaks: /laguna|poolside/i,
  reasoning: [{ open: ['<thought>'], close: ['</thought>'] }],
  dropped: ['<assistant>', '</assistant>'],
  leading: ['<assistant>'],
  teaching: lesson({
    tools: { style: 'openai-json', open: '<available_tools>\n', separator: '\n', close: '\n</available_tools>\n\n' },
    how: 'To call a tool, write <tool_call> and its name, an <arg_key> and an <arg_value> element per argument, and </tool_call>.',
    ...toolResponse,
  }),
}
