import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <function=set_lamp>{"room": "den"}</function>
 */
export const functionaryV31: Dialect = {
  name: 'functionary-v3.1',
  models: 'Functionary 3.1, Llama 3.1 custom tools',
  speaks: /functionary.*3\.1/i,
  grammar: {
    call: { open: ['<function={name}>'], close: ['</function>'] },
    separator: '',
    arguments: { as: 'json' },
  },
  dropped: ['<|eom_id|>', '<|eot_id|>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call a tool, write <function=NAME>, its arguments as one JSON object and </function>.',
    result: '<function_result name={name}>{content}</function_result>',
    resultSeparator: '\n',
  }),
}
