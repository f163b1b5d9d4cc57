import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|tool_calls_section_begin|><|tool_call_begin|>functions.set_lamp:0<|tool_call_argument_begin|>{"room": "den"}<|tool_call_end|><|tool_calls_section_end|>
 */
export const kimiK2: Dialect = {
  name: 'kimi-k2',
  models: 'Kimi K2, K2-Thinking, K2.5',
  speaks: /kimi(?!-?k[3-9])/i,
  grammar: {
    section: {
      open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
      close: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    },
    call: {
      open: ['<|tool_call_begin|>{id}<|tool_call_argument_begin|>', '<|tool_call_begin|>{id}'],
      close: ['<|tool_call_end|>'],
    },
    separator: '',
    arguments: { as: 'json' },
    ids: { template: 'functions.{name}:{number}', first: 0 },
  },
  dropped: ['<|im_end|>'],
  teaching: lesson({
    tools: { style: 'openai-json', open: '[', separator: ', ', close: ']\n\n' },
    how: 'To call tools, write <|tool_calls_section_begin|>, then for each <|tool_call_begin|>, functions.NAME:NUMBER, <|tool_call_argument_begin|>, its arguments as JSON and <|tool_call_end|>, and at last <|tool_calls_section_end|>.',
    result: '## Return of {id}\n{content}',
    resultSeparator: '\n',
  }),
}
