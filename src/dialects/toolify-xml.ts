import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <function_calls>
 * <function_call>
 * <tool>set_lamp</tool>
 * <args_json><![CDATA[{"room": "den"}]]></args_json>
 * </function_call>
 * </function_calls>
 */
export const toolifyXml: Dialect = {
  name: 'toolify-xml',
  models: 'any model; the style of Toolify',
  grammar: {
    section: { open: ['<function_calls>\n'], close: ['\n</function_calls>'] },
    call: {
      open: ['<function_call>\n<tool>{name}</tool>\n<args_json>'],
      close: ['</args_json>\n</function_call>'],
    },
    separator: '\n',
    arguments: { as: 'json', cdata: true },
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a <function_calls> block with a <function_call> element per call: its name in <tool>, its arguments as JSON in CDATA in <args_json>.',
    result: '<tool_result name="{name}">{content}</tool_result>',
    resultSeparator: '\n',
  }),
}
