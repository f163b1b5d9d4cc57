import { deepseekV3 } from './deepseek-v3.ts'
import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>set_lamp<｜tool▁sep｜>{"room": "den"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */
export const deepseekV31: Dialect = {
  ...deepseekV3,
  name: 'deepseek-v3.1',
  models: 'DeepSeek V3.1, V3.2-Exp',
  speaks: /deepseek-?(?:v3\.1|v3\.2-exp|chat|reasoner)/i,
  grammar: {
    ...deepseekV3.grammar,
    call: {
      open: [
        '<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>',
        '<|tool_call_begin|>{name}<|tool_sep|>',
        '<|tool▁call▁begin|>{name}<|tool▁sep|>',
        '<｜tool▁call▁begin｜>{name}',
        '<|tool_call_begin|>{name}',
        '<|tool▁call▁begin|>{name}',
      ],
      close: ['<｜tool▁call▁end｜>', '<|tool_call_end|>', '<|tool▁call▁end|>'],
    },
    separator: '',
    nonNames: ['function'],
  },
  teaching: lesson({
    how: 'To call tools, write <｜tool▁calls▁begin｜>, then for each <｜tool▁call▁begin｜>, its name, <｜tool▁sep｜>, its arguments as JSON and <｜tool▁call▁end｜>, and at last <｜tool▁calls▁end｜>.',
    result: '<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>',
    resultSeparator: '',
  }),
}
