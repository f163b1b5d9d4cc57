import type { Dialect } from './dialect.ts'
import { hermes } from './hermes.ts'
import { lesson } from './teaching.ts'

/**
 * checking</think>
 *
 * <tool_call>
 * {"name": "set_lamp", "arguments": {"room": "den"}}
 * </tool_call>
 */
export const ernie45: Dialect = {
  ...hermes,
  name: 'ernie45',
  models: 'ERNIE 4.5 thinking',
  speaks: /ernie-?4\.5/i,
  grammar: { ...hermes.grammar, call: { open: ['<tool_call>\n'], close: ['\n</tool_call>\n'] } },
  variants: [],
  dropped: ['<response>', '</response>'],
  leading: ['<response>'],
  teaching: lesson({
    how: 'To call a tool, write its name and arguments as one JSON object inside <tool_call></tool_call> after your thoughts.',
    result: '<tool_output>\n{content}\n</tool_output>',
    resultSeparator: '\n',
  }),
}
