import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * Thought: the lamp should be dimmed
 * Action: set_lamp
 * Action Input: {"room": "den"}
 */
export const react: Dialect = {
  name: 'react',
  models: 'any model; the ReAct style',
  grammar: {
    call: {
      open: [
        'Action: {name}\nAction Input: ',
        'Action: `{name}`\nAction Input: ',
        '**Action:** {name}\n**Action Input:** ',
      ],
      close: [],
    },
    separator: '\n',
    arguments: { as: 'json', plainUntil: ['\nObservation:', '\nThought:', '\nAction:'] },
    marks: 'words',
    single: true,
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call a tool, write a line "Action:" with its name and a line "Action Input:" with its arguments as one JSON object.',
    single: true,
    result: 'Observation: {content}',
    resultSeparator: '\n',
  }),
}
