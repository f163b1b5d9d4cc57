import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|tool_call|>[{"name": "set_lamp", "arguments": {"room": "den"}}]
 */
export const granite3: Dialect = {
  name: 'granite-3',
  models: 'Granite 3.0 to 3.3',
  speaks: /granite-?3/i,
  grammar: {
    section: { open: ['<|tool_call|>', '<tool_call>'], close: [] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
  },
  dropped: ['<|end_of_text|>', '<response>', '</response>'],
  leading: ['<response>'],
  teaching: lesson({
    tools: { style: 'indented-json', open: '[\n', separator: ',\n', close: '\n]\n\n' },
    how: 'To call tools, write <|tool_call|> and then a JSON array of objects with "name" and "arguments", and nothing else.',
    result: '<tool_response>{content}</tool_response>',
    resultSeparator: '\n',
  }),
}
