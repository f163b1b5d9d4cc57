import type { Dialect } from './dialect.ts'
import { qwen3Coder } from './qwen3-coder.ts'
import { lesson } from './teaching.ts'

/**
 * <seed:tool_call>
 * <function=set_lamp>
 * <parameter=room>den</parameter>
 * </function>
 * </seed:tool_call>
 */
export const seedOss: Dialect = {
  ...qwen3Coder,
  name: 'seed-oss',
  models: 'Seed-OSS',
  speaks: /seed-?oss/i,
  grammar: {
    ...qwen3Coder.grammar,
    call: {
      open: ['<seed:tool_call>\n<function={name}>\n', '<function={name}>\n'],
      close: ['</function>\n</seed:tool_call>'],
    },
    arguments: { as: 'tagged', open: '<parameter={key}>', close: '</parameter>', layout: 'either' },
  },
  variants: [],
  reasoning: [{ open: ['<seed:think>'], close: ['</seed:think>'] }],
  dropped: ['<seed:eos>'],
  teaching: lesson({
    tools: { style: 'python', open: 'Function:\n', separator: '\n\n', close: '\n\n' },
    how: 'To call a tool, write a <seed:tool_call> block with <function=NAME> and one <parameter=KEY> element per argument.',
    result: '<seed:tool_result>\n{content}\n</seed:tool_result>',
    resultSeparator: '\n',
  }),
}
