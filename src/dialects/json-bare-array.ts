import type { Dialect } from './dialect.ts'
import { jsonBare } from './json-bare.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * [{"name": "set_lamp", "arguments": {"room": "den"}}, {"name": "ping", "arguments": {}}]
 */
export const jsonBareArray: Dialect = {
  ...jsonBare,
  name: 'json-bare-array',
  models: 'any model; guided decoding',
  grammar: {
    ...jsonBare.grammar,
    isFallback: false,
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, answer with one JSON array and nothing else; each item has a "name" and "arguments".',
    result: 'Result of {name}:\n{content}',
    resultSeparator: '\n\n',
  }),
}
