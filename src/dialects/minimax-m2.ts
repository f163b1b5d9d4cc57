import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <minimax:tool_call>
 * <invoke name="set_lamp">
 * <parameter name="room">den</parameter>
 * </invoke>
 * </minimax:tool_call>
 */
export const minimaxM2: Dialect = {
  name: 'minimax-m2',
  models: 'MiniMax M2, M2.1, M2.5',
  speaks: /minimax(?!.*-m[13-9])/i,
  grammar: {
    section: { open: ['<minimax:tool_call>\n'], close: ['\n</minimax:tool_call>'] },
    call: { open: ['<invoke name="{name}">\n'], close: ['</invoke>'] },
    separator: '\n',
    arguments: { as: 'tagged', open: '<parameter name="{key}">', close: '</parameter>', layout: 'inline' },
  },
  dropped: ['[e~['],
  teaching: lesson({
    tools: {
      style: 'function-json',
      open: '<tools>\n<tool>',
      separator: '</tool>\n<tool>',
      close: '</tool>\n</tools>\n\n',
    },
    how: 'To call tools, write a <minimax:tool_call> block with an <invoke name="NAME"> element per call and a <parameter name="KEY"> element per argument.',
    result: '<response>{content}</response>',
    resultSeparator: '\n',
  }),
}
