import type { Dialect } from './dialect.ts'

/**
 * I will look.
 * <read_file>
 * <path>src/a.ts</path>
 * </read_file>
 */
export const rooXml: Dialect = {
  name: 'roo-xml',
  models: 'any model; the style of Roo Code and Cline',
  grammar: {
    call: { open: ['<{name}>\n'], close: ['</{name}>'] },
    separator: '\n\n',
    arguments: { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'either', trims: true },
    marks: 'names',
    isFallback: true,
    single: true,
  },
  teaching: {
    isQuoted: true,
    intro:
      'You have access to tools that help you accomplish tasks. Use tools by outputting XML-formatted tool calls.\n\n' +
      '## Tool Use Rules\n' +
      '1. Use exactly one tool per message\n' +
      '2. Format tool calls using XML with the tool name as the tag\n' +
      '3. Include all required parameters within parameter tags\n\n' +
      '## Tool Call Format\n' +
      '<tool_name>\n<parameter1>value1</parameter1>\n<parameter2>value2</parameter2>\n</tool_name>\n\n' +
      '## Available Tools\n\n',
    tools: { style: 'markdown', open: '', separator: '\n\n', close: '' },
    rules: '',
    result: 'Tool Result from {name}:\n{content}',
    resultSeparator: '\n\n',
  },
}
