import type { Dialect } from './dialect.ts'
import { rooXml } from './roo-xml.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <set_lamp>
 * <room>den</room>
 * <level>3</level>
 * </set_lamp>
 */
export const xmlToolname: Dialect = {
  ...rooXml,
  name: 'xml-toolname',
  models: 'any model',
  grammar: {
    ...rooXml.grammar,
    isFallback: false,
    arguments: { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'either', entities: true },
    single: false,
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call a tool, write an element named like the tool with one child element per argument, as in XML; lists repeat <item> elements.',
    result: '<tool_result name="{name}">\n{content}\n</tool_result>',
    resultSeparator: '\n',
  }),
}
