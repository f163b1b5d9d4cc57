import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <｜DSML｜function_calls>
 * <｜DSML｜invoke name="set_lamp">
 * <｜DSML｜parameter name="room" string="true">den</｜DSML｜parameter>
 * </｜DSML｜invoke>
 * </｜DSML｜function_calls>
 */
export const deepseekDsmlV32: Dialect = {
  name: 'deepseek-dsml-v3.2',
  models: 'DeepSeek V3.2',
  speaks: /deepseek-?v3\.2(?!-exp)/i,
  grammar: {
    section: {
      open: ['<｜DSML｜function_calls>\n', '<|DSML|function_calls>\n'],
      close: ['\n</｜DSML｜function_calls>', '\n</|DSML|function_calls>'],
    },
    call: {
      open: ['<｜DSML｜invoke name="{name}">\n', '<|DSML|invoke name="{name}">\n'],
      close: ['</｜DSML｜invoke>', '</|DSML|invoke>'],
    },
    separator: '\n',
    arguments: {
      as: 'tagged',
      open: '<｜DSML｜parameter name="{key}" string="{string}">',
      close: '</｜DSML｜parameter>',
      also: [{ open: '<|DSML|parameter name="{key}" string="{string}">', close: '</|DSML|parameter>' }],
      layout: 'inline',
    },
  },
  dropped: ['<｜end▁of▁sentence｜>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a <｜DSML｜function_calls> block with a <｜DSML｜invoke> element per call and a <｜DSML｜parameter> element per argument; string="true" marks plain text, string="false" JSON.',
    result: '<result>{content}</result>',
    resultSeparator: '\n',
  }),
}
