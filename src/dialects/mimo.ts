import type { Dialect } from './dialect.ts'
import { qwen3Coder, qwen3CoderGrammar } from './qwen3-coder.ts'
import { lesson, toolResponse } from './teaching.ts'

const { call } = qwen3CoderGrammar

/**
 * White space next to a value belongs to it.
 *
 * <tool_call><function=set_lamp><parameter=room>den</parameter><parameter=level>3</parameter></function></tool_call>
 */
export const mimo: Dialect = {
  ...qwen3Coder,
  name: 'mimo',
  models: 'MiMo V2.6 and later',
  speaks: /mimo-?v(?:2\.[6-9]|[3-9])/i,
  grammar: {
    ...qwen3CoderGrammar,
    call: {
      open: ['<tool_call><function={name}>', ...call.open.slice(1)],
      close: ['</function></tool_call>', ...call.close.slice(1)],
    },
    separator: '',
    arguments: { ...qwen3CoderGrammar.arguments, layout: 'inline', isCompact: true },
  },
  teaching: lesson({
    tools: { style: 'openai-json', open: '<tools>\n', separator: '\n', close: '\n</tools>\n\n' },
    how: 'To call a tool, write a <tool_call> block with <function=NAME> and one <parameter=KEY> element per argument, without line breaks between the tags.',
    ...toolResponse,
  }),
}
