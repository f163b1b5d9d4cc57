import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <tool_calls>
 * {"name": "set_lamp", "arguments": {"room": "den"}}
 * {"name": "ping", "arguments": {}}
 * </tool_calls>
 */
export const minimaxM1: Dialect = {
  name: 'minimax-m1',
  models: 'MiniMax-M1',
  speaks: /minimax-?m1/i,
  grammar: {
    section: { open: ['<tool_calls>\n'], close: ['\n</tool_calls>'] },
    call: { open: [], close: [] },
    separator: '\n',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
  },
  teaching: lesson({
    how: 'To call tools, write one JSON object with "name" and "arguments" a line inside <tool_calls></tool_calls>.',
    result: 'tool name: {name}\ntool result: {content}',
    resultSeparator: '\n\n',
  }),
}
