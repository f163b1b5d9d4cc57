import { deepseekDsmlV32, dsml } from './deepseek-dsml-v3.2.ts'
import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <｜DSML｜ calls>
 * <｜DSML｜ invoke name="set_lamp">
 * <｜DSML｜ parameter name="level" string="false">3</｜DSML｜ parameter>
 * </｜DSML｜ invoke>
 * </｜DSML｜ calls>
 */
export const deepseekDsmlV41: Dialect = {
  ...deepseekDsmlV32,
  name: 'deepseek-dsml-v4.1',
  models: 'DeepSeek V4.1 and later',
  speaks: /deepseek[-_]?v(?:4[._p-]?[1-9](?![\db])|[5-9])/i,
  grammar: dsml(['calls', 'tool_calls', 'tool_use'], ' '),
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a <｜DSML｜ calls> block with a <｜DSML｜ invoke> element per call and a <｜DSML｜ parameter> element per argument; string="true" marks plain text, string="false" JSON.',
    result: '<tool_result>{content}</tool_result>',
    resultSeparator: '\n',
  }),
}
