import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * {"name": "set_lamp", "parameters": {"room": "den"}}; {"name": "ping", "parameters": {}}
 */
export const llama3Json: Dialect = {
  name: 'llama3-json',
  models: 'Llama 3.1, 3.2, 3.3',
  speaks: /llama-?3\.[13]|llama-?3\.2-?(?:11|90)/i,
  grammar: {
    section: { open: ['<|python_tag|>'], close: [] },
    call: { open: [], close: [] },
    separator: '; ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'parameters' },
    marks: 'none',
  },
  variants: [
    {
      section: { open: ['<|python_tag|>'], close: [] },
      call: { open: ['{name}.call('], close: [')'] },
      separator: '; ',
      arguments: { as: 'keywords' },
      marks: 'words',
    },
  ],
  dropped: ['<|eot_id|>', '<|eom_id|>'],
  teaching: lesson({
    tools: { style: 'indented-json', open: '', separator: '\n\n', close: '\n\n' },
    how: 'To call a tool, answer with nothing but a JSON object that has its "name" and its "parameters".',
    result: 'Output of {name}: {content}',
    resultSeparator: '\n',
  }),
}
