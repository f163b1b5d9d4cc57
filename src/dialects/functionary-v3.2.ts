import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * all
 * Sure.>>>set_lamp
 * {"room": "den"}
 */
export const functionaryV32: Dialect = {
  name: 'functionary-v3.2',
  models: 'Functionary 3.2',
  speaks: /functionary/i,
  grammar: {
    call: { open: ['>>>{name}\n'], close: [] },
    separator: '',
    arguments: { as: 'json' },
    frame: {
      open: ['>>>'],
      body: ['\n'],
      close: [],
      call: /^(?!all\r?\n)([\w.-]+)\r?\n$/,
      thought: /(?!)/,
      text: /^all\r?\n$/,
      startsInHeader: true,
    },
    marks: 'words',
  },
  teaching: lesson({
    tools: {
      style: 'typescript',
      open: 'namespace functions {\n\n',
      separator: '\n\n',
      close: '\n\n} // namespace functions\n\n',
    },
    how: 'Write >>>all and a new line before words for the user. To call a tool, write >>>NAME, a new line and its arguments as one JSON object.',
    result: '{name} says: {content}',
    resultSeparator: '\n',
  }),
}
