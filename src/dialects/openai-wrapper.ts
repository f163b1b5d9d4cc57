import type { Dialect } from './dialect.ts'
import { jsonBareArray } from './json-bare-array.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * {"tool_calls": [{"name": "set_lamp", "arguments": {"room": "den"}}]}
 */
export const openaiWrapper: Dialect = {
  ...jsonBareArray,
  name: 'openai-wrapper',
  models: 'any model under a JSON grammar; llama.cpp generic',
  grammar: {
    ...jsonBareArray.grammar,
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true, listKey: 'tool_calls' },
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, answer with one JSON object whose "tool_calls" is a list of objects with "name" and "arguments".',
    result: 'Result of {name}:\n{content}',
    resultSeparator: '\n\n',
  }),
}
