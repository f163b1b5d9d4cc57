import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <toolbridge_calls>
 * <set_lamp>
 * <room>den</room>
 * </set_lamp>
 * </toolbridge_calls>
 */
export const toolbridge: Dialect = {
  name: 'toolbridge',
  models: 'any model; the style of ToolBridge',
  grammar: {
    section: { open: ['<toolbridge_calls>\n'], close: ['\n</toolbridge_calls>'] },
    call: { open: ['<{name}>\n'], close: ['</{name}>'] },
    separator: '\n',
    arguments: { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'either' },
    nonNames: ['toolbridge_calls'],
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a <toolbridge_calls> block with an element named like the tool per call and a child element per argument.',
    result: '<toolbridge_result name="{name}">\n{content}\n</toolbridge_result>',
    resultSeparator: '\n',
  }),
}
