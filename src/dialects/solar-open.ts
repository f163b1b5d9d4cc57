import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|tool_calls|><|tool_call:begin|>k3j9x0a1bz<|tool_call:name|>set_lamp<|tool_call:args|>{"room": "den"}<|tool_call:end|><|calls|>
 */
export const solarOpen: Dialect = {
  name: 'solar-open',
  models: 'Solar Open 100B',
  speaks: /solar-?open/i,
  grammar: {
    section: { open: ['<|tool_calls|>'], close: ['<|calls|>'] },
    call: {
      open: ['<|tool_call:begin|>{id}<|tool_call:name|>{name}<|tool_call:args|>'],
      close: ['<|tool_call:end|>'],
    },
    separator: '',
    arguments: { as: 'json' },
    ids: { alphabet: '0123456789abcdefghijklmnopqrstuvwxyz', length: 10 },
  },
  reasoning: [{ open: ['<|think|>'], close: ['<|end|>'] }],
  dropped: ['<|content|>', '<|end|>', '<|begin|>assistant', '<|flush|>'],
  leading: ['<|content|>', '<|begin|>assistant'],
  teaching: lesson({
    tools: {
      style: 'function-json',
      open: '<|tools:begin|><|tool:begin|>',
      separator: '<|tool:end|><|tool:begin|>',
      close: '<|tool:end|><|tools:end|>\n\n',
    },
    how: 'To call tools, write <|tool_calls|>, then for each <|tool_call:begin|>, an id of ten small letters and digits, <|tool_call:name|>, its name, <|tool_call:args|>, its arguments as JSON and <|tool_call:end|>, and at last <|calls|>.',
    result:
      '<|tool_response:begin|>{id}<|tool_response:name|>{name}<|tool_response:result|>{content}<|tool_response:end|>',
    resultSeparator: '',
  }),
}
