import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * Action:
 * ```json
 * [{"tool_name": "set_lamp", "parameters": {"room": "den"}}]
 * ```
 */
export const commandRPlus: Dialect = {
  name: 'command-r-plus',
  models: 'Command R and R+ of 2024',
  speaks: /command-r(?!7b)/i,
  grammar: {
    section: { open: ['Action:\n```json\n'], close: ['\n```'] },
    call: { open: [], close: [] },
    separator: ',\n',
    arguments: { as: 'envelope', nameKey: 'tool_name', argumentsKey: 'parameters', array: true },
    marks: 'words',
    decoys: ['directly_answer', 'directly-answer'],
  },
  teaching: lesson({
    tools: { style: 'python', open: '```python\n', separator: '\n```\n\n```python\n', close: '\n```\n\n' },
    how: 'To call tools, write "Action:" and then a ```json block with an array of objects that have a "tool_name" and "parameters".',
    result: '<results>\n{name}: {content}\n</results>',
    resultSeparator: '\n',
  }),
}
