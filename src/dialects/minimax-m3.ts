import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * ]<]minimax[>[<tool_call>
 * ]<]minimax[>[<invoke name="set_lamp">]<]minimax[>[<room>den]<]minimax[>[</room>]<]minimax[>[</invoke>
 * ]<]minimax[>[</tool_call>
 */
export const minimaxM3: Dialect = {
  name: 'minimax-m3',
  models: 'MiniMax M3',
  speaks: /minimax-?m[3-9]/i,
  grammar: {
    section: { open: [']<]minimax[>[<tool_call>\n'], close: ['\n]<]minimax[>[</tool_call>'] },
    call: { open: [']<]minimax[>[<invoke name="{name}">'], close: [']<]minimax[>[</invoke>'] },
    separator: '\n',
    arguments: { as: 'tagged', open: ']<]minimax[>[<{key}>', close: ']<]minimax[>[</{key}>', layout: 'inline' },
  },
  reasoning: [{ open: ['<mm:think>'], close: ['</mm:think>'] }],
  teaching: lesson({
    tools: {
      style: 'function-json',
      open: '<tools>\n<tool>',
      separator: '</tool>\n<tool>',
      close: '</tool>\n</tools>\n\n',
    },
    how: 'To call tools, write a tool_call element with an invoke element per call and an element named by the key per argument, every tag preceded by ]<]minimax[>[.',
    result: '<response>{content}</response>',
    resultSeparator: '\n',
  }),
}
