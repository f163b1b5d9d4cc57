import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|tool_call>call:set_lamp{level:3,room:<|"|>den "A"<|"|>}<tool_call|>
 */
export const gemma4: Dialect = {
  name: 'gemma4',
  models: 'Gemma 4',
  speaks: /gemma-?[4-9](?!\d*b)/i,
  grammar: {
    call: { open: ['<|tool_call>call:{name}', '<|tool_call>\ncall:{name}', 'call:{name}'], close: ['<tool_call|>'] },
    separator: '',
    arguments: { as: 'pseudo', quote: '<|"|>' },
  },
  reasoning: [{ open: ['<|channel>thought\n', '<|channel>thought', '<|channel>'], close: ['<channel|>'] }],
  dropped: ['<turn|>', '<eos>', '<|tool_response>'],
  teaching: lesson({
    tools: { style: 'pseudo', open: '<|tool>', separator: '<tool|><|tool>', close: '<tool|>\n\n' },
    how: 'To call a tool, write <|tool_call>call:NAME{KEY:VALUE,…}<tool_call|>, with <|"|> on both sides of every string.',
    result: '<|tool_response>response:{name} <|"|>{content}<|"|><tool_response|>',
    resultSeparator: '',
  }),
}
