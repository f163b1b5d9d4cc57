import type { Dialect } from './dialect.ts'
import { rooXml } from './roo-xml.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <set_lamp>
 * room: den
 * level: 3
 * </set_lamp>
 */
export const yamlXml: Dialect = {
  ...rooXml,
  name: 'yaml-xml',
  models: 'any model',
  grammar: {
    ...rooXml.grammar,
    isFallback: false,
    call: { open: ['<{name}>'], close: ['</{name}>'] },
    arguments: { as: 'yaml' },
    single: false,
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call a tool, write an element named like the tool with its arguments inside as YAML, one key a line.',
    result: '<tool_result name="{name}">\n{content}\n</tool_result>',
    resultSeparator: '\n',
  }),
}
