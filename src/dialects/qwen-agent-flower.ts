import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * ✿FUNCTION✿: set_lamp
 * ✿ARGS✿: {"room": "den"}
 */
export const qwenAgentFlower: Dialect = {
  name: 'qwen-agent-flower',
  models: 'Qwen-Agent of old',
  grammar: {
    call: { open: ['✿FUNCTION✿: {name}\n✿ARGS✿: '], close: [] },
    separator: '\n',
    arguments: { as: 'json' },
  },
  dropped: ['✿RESULT✿', '✿RETURN✿:'],
  leading: ['✿RETURN✿:'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call a tool, write a line "✿FUNCTION✿:" with its name and a line "✿ARGS✿:" with its arguments as one JSON object.',
    result: '✿RESULT✿: {content}\n✿RETURN✿:',
    resultSeparator: '\n',
  }),
}
