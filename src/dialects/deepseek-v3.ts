import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>set_lamp
 * ```json
 * {"room": "den"}
 * ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */
export const deepseekV3: Dialect = {
  name: 'deepseek-v3',
  models: 'DeepSeek V3-0324, R1 and its distills',
  speaks: /deepseek-?(?:v3(?![.-]?[12])|r1)|cogito/i,
  grammar: {
    section: {
      open: ['<｜tool▁calls▁begin｜>', '<|tool_calls_begin|>', '<|tool▁calls▁begin|>', '<｜tool_calls_begin｜>'],
      close: ['<｜tool▁calls▁end｜>', '<|tool_calls_end|>', '<|tool▁calls▁end|>', '<｜tool_calls_end｜>'],
    },
    call: {
      open: [
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n',
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n',
        '<|tool_call_begin|>function<|tool_sep|>{name}\n',
        '<|tool▁call▁begin|>function<|tool▁sep|>{name}\n',
      ],
      close: ['\n```<｜tool▁call▁end｜>', '\n```<|tool_call_end|>', '\n```<|tool▁call▁end|>'],
    },
    separator: '\n',
    arguments: { as: 'json' },
  },
  dropped: ['<｜end▁of▁sentence｜>', '<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'],
  teaching: lesson({
    how: 'To call tools, write <｜tool▁calls▁begin｜>, then for each <｜tool▁call▁begin｜>function<｜tool▁sep｜>, its name, and its arguments in a ```json block before <｜tool▁call▁end｜>, and at last <｜tool▁calls▁end｜>.',
    result: '<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>',
    resultSeparator: '\n',
  }),
}
