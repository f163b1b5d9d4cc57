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
    intro: "# Tools\n\nYou may call one or more of these tools to help with the user's request:\n\n",
    tools: { style: 'function-json', open: '', separator: '\n', close: '\n\n' },
    rules:
      'To call a tool, reply with a code block that holds one JSON object with its name and its arguments:\n\n{example}',
    result: 'Result of {name}:\n{content}',
    resultSeparator: '\n\n',
  },
}
