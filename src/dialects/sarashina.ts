import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <|tool_calls|>[{'name': 'set_lamp', 'arguments': {'on': True}}]
 */
export const sarashina: Dialect = {
  name: 'sarashina',
  models: 'Sarashina',
  speaks: /sarashina/i,
  grammar: {
    section: { open: ['<|tool_calls|>'], close: [] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write <|tool_calls|> and then a list of dictionaries with "name" and "arguments".',
    result: '{name}: {content}',
    resultSeparator: '\n',
  }),
}
