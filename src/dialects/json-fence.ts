import type { Dialect } from './dialect.ts'

/**
 * ```json
 * {"name": "set_lamp", "arguments": {"room": "den"}}
 * ```
 */
export const jsonFence: Dialect = {
  name: 'json-fence',
  models: 'any model that likes Markdown; xLAM, Hammer',
  grammar: {
    call: { open: ['```json\n', '```tool_call\n', '```tool_code\n', '```\n'], close: ['\n```'] },
    separator: '\n',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
    marks: 'words',
  },
  teaching: {
    intro: 'You can call tools to help with the user’s request. The tools, as JSON, one a line:\n\n',
    tools: { style: 'function-json', open: '', separator: '\n', close: '\n\n' },
    rules:
      'To call a tool, write a code block with one JSON object that has its "name" and its "arguments":\n\n' +
      '{example}\n\n' +
      'Several calls are several such blocks. After your calls, stop and wait for the results. Answer in words when no tool ' +
      'is needed.',
    result: 'Result of {name}:\n{content}',
    resultSeparator: '\n\n',
  },
}
