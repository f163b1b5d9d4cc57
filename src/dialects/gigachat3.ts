import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * One moment.<|message_sep|>
 *
 * function call<|role_sep|>
 * {"name": "set_lamp", "arguments": {"room": "den"}}
 */
export const gigachat3: Dialect = {
  name: 'gigachat3',
  models: 'GigaChat 3 and 3.1',
  speaks: /gigachat/i,
  grammar: {
    call: {
      open: ['<|message_sep|>\n\nfunction call<|role_sep|>\n', 'function call<|role_sep|>\n', '<|function_call|>'],
      close: [],
    },
    separator: '',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
    single: true,
  },
  dropped: ['<|message_sep|>', '</s>'],
  teaching: lesson({
    how: 'To call a tool, end your message with a line "function call<|role_sep|>" and then one JSON object with "name" and "arguments".',
    single: true,
    result: 'function result<|role_sep|>\n{content}<|message_sep|>',
    resultSeparator: '\n',
  }),
}
