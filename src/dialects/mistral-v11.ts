import type { Dialect } from './dialect.ts'
import { nineAlphanumerics } from './mistral-v3.ts'
import { lesson } from './teaching.ts'

/**
 * [TOOL_CALLS]set_lamp[ARGS]{"room": "den"}[TOOL_CALLS]ping[ARGS]{}
 */
export const mistralV11: Dialect = {
  name: 'mistral-v11',
  models: 'Mistral Small 3.2, Devstral, Magistral, Ministral 3, Large 3',
  speaks: /mistral|devstral|magistral|ministral/i,
  grammar: {
    call: {
      open: ['[TOOL_CALLS]{name}[ARGS]', '[TOOL_CALLS]{name}[CALL_ID]{id}[ARGS]', '[TOOL_CALLS]{name}'],
      close: [],
    },
    separator: '',
    arguments: { as: 'json' },
    ids: nineAlphanumerics,
  },
  reasoning: [{ open: ['[THINK]'], close: ['[/THINK]'] }],
  dropped: ['</s>'],
  teaching: lesson({
    tools: { style: 'openai-json', open: '[AVAILABLE_TOOLS][', separator: ', ', close: '][/AVAILABLE_TOOLS]\n\n' },
    how: 'To call a tool, write [TOOL_CALLS], its name, [ARGS] and its arguments as one JSON object.',
    result: '[TOOL_RESULTS]{content}[/TOOL_RESULTS]',
    resultSeparator: '',
  }),
}
