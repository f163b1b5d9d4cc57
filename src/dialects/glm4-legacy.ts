import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * set_lamp
 * {"room": "den"}
 */
export const glm4Legacy: Dialect = {
  name: 'glm4-legacy',
  models: 'GLM-4-9B, ChatGLM3',
  speaks: /glm-?4-9b|chatglm/i,
  grammar: {
    call: { open: ['{name}\n'], close: [] },
    separator: '\n',
    arguments: { as: 'json' },
    marks: 'bare-names',
  },
  dropped: ['<|observation|>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call a tool, write its name on a line of its own and its arguments as one JSON object on the next.',
    result: '<|observation|>\n{content}',
    resultSeparator: '\n',
  }),
}
