import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|tools_prefix|>[{"set_lamp": {"room": "den"}}, {"ping": {}}]<|tools_suffix|>
 */
export const apertus: Dialect = {
  name: 'apertus',
  models: 'Apertus',
  speaks: /apertus/i,
  grammar: {
    section: { open: ['<|tools_prefix|>'], close: ['<|tools_suffix|>'] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true, keyed: true },
  },
  reasoning: [{ open: ['<|inner_prefix|>'], close: ['<|inner_suffix|>'] }],
  dropped: ['<|assistant_end|>'],
  teaching: lesson({
    tools: { style: 'typescript', open: '', separator: '\n', close: '\n\n' },
    how: 'To call tools, write between <|tools_prefix|> and <|tools_suffix|> a JSON array of objects, each with the tool as its only key.',
    result: '[{content}]',
    resultSeparator: '\n',
  }),
}
