import type { Dialect, Grammar } from './dialect.ts'
import { lesson } from './teaching.ts'

const grammar: Grammar = {
  call: { open: ['<function_call> '], close: ['', '</function_call>'] },
  separator: '',
  arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
  decoys: ['no_function'],
}

/**
 * <function_call> {"name": "set_lamp", "arguments": {"room": "den"}}<function_call> {"name": "ping", "arguments": {}}
 */
export const granite20bFc: Dialect = {
  name: 'granite-20b-fc',
  models: 'granite-20b-functioncalling',
  speaks: /granite-20b/i,
  grammar,
  // As Glaive's models write it, and with the object inside the tag.
  variants: [
    { ...grammar, call: { open: ['<functioncall> '], close: ['', '</functioncall>'] } },
    { ...grammar, call: { open: ['<functioncall '], close: ['>', '/>'] } },
  ],
  teaching: lesson({
    how: 'To call a tool, write <function_call> and then one JSON object with "name" and "arguments".',
    result: '<function_response> {content}',
    resultSeparator: '\n',
  }),
}
