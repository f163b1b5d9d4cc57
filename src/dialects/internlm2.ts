import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|action_start|><|plugin|>
 * {"name": "set_lamp", "parameters": {"room": "den"}}<|action_end|>
 */
export const internlm2: Dialect = {
  name: 'internlm2',
  models: 'InternLM 2 and 3, Intern-S1',
  speaks: /internlm|intern-s\d/i,
  grammar: {
    call: { open: ['<|action_start|><|plugin|>\n'], close: ['<|action_end|>'] },
    separator: '\n',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'parameters' },
  },
  dropped: ['<|im_end|>'],
  teaching: lesson({
    tools: { style: 'function-json', open: '[', separator: ',\n', close: ']\n\n' },
    how: 'To call a tool, write <|action_start|><|plugin|>, a JSON object with "name" and "parameters", and <|action_end|>.',
    result: '<|plugin|> {name}:\n{content}',
    resultSeparator: '\n',
  }),
}
