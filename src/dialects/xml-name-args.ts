import type { Dialect } from './dialect.ts'

/** What some write for `tool_call`, and for `arguments`. */
const spell = (print: (tag: string, inner: string) => string): readonly string[] =>
  ['arguments', 'parameters', 'input'].flatMap((inner) => ['tool_call', 'tool_use'].map((tag) => print(tag, inner)))

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
      open: spell((tag, inner) => `<${tag}>\n<name>{name}</name>\n<${inner}>`),
      close: spell((tag, inner) => `</${inner}>\n</${tag}>`),
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
