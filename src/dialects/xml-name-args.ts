import type { Dialect } from './dialect.ts'

/**
 * <tool_call>
 * <name>set_lamp</name>
 * <arguments>{"room": "den"}</arguments>
 * </tool_call>
 */
export const xmlNameArgs: Dialect = {
  name: 'xml-name-args',
  models: 'any model; the style of the Poe bridge',
  grammar: {
    call: {
      open: ['<tool_call>\n<name>{name}</name>\n<arguments>', '<tool_use>\n<name>{name}</name>\n<arguments>'],
      close: ['</arguments>\n</tool_call>', '</arguments>\n</tool_use>'],
    },
    separator: '\n',
    arguments: { as: 'json', xml: true },
  },
  teaching: {
    isQuoted: true,
    intro: '',
    tools: { style: 'xml-tool', open: '<tools>\n', separator: '\n', close: '\n</tools>\n\n' },
    rules:
      'To use tools, respond with:\n' +
      '<tool_call>\n<name>function_name</name>\n<arguments>{"param": "value"}</arguments>\n</tool_call>',
    result: '<tool_result>\n<name>{name}</name>\n<output>{content}</output>\n</tool_result>',
    resultSeparator: '\n',
  },
}
