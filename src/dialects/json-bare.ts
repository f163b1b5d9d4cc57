import type { Dialect } from './dialect.ts'
import { jsonFence } from './json-fence.ts'

/** {"name": "set_lamp", "arguments": {"room": "den"}} */
export const jsonBare: Dialect = {
  name: 'json-bare',
  models: 'any model; guided decoding',
  grammar: {
    call: { open: [], close: [] },
    separator: '\n',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
    marks: 'none',
    isFallback: true,
  },
  teaching: {
    ...jsonFence.teaching,
    rules:
      'To call a tool, reply with nothing but one JSON object with its name and its arguments, and no code fence:\n\n{example}',
  },
}
