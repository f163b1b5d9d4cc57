import type { Dialect } from './dialect.ts'
import { hermes } from './hermes.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <longcat_tool_call>
 * {"name": "set_lamp", "arguments": {"room": "den"}}
 * </longcat_tool_call>
 */
export const longcat: Dialect = {
  ...hermes,
  name: 'longcat',
  models: 'LongCat-Flash',
  speaks: /longcat/i,
  grammar: {
    ...hermes.grammar,
    call: { open: ['<longcat_tool_call>\n'], close: ['\n</longcat_tool_call>'] },
  },
  variants: [],
  reasoning: [{ open: ['<longcat_think>'], close: ['</longcat_think>'] }],
  teaching: lesson({
    how: 'To call a tool, write its name and arguments as one JSON object inside <longcat_tool_call></longcat_tool_call>.',
    ...toolResponse,
  }),
}
