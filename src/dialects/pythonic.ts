import type { Dialect, Grammar } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/** Gemma's: code that prints what a tool returns, in a fence. */
const inPrint: Grammar = {
  section: { open: ['```tool_code\n'], close: ['```'] },
  call: { open: ['print(default_api.{name}(', 'print({name}('], close: ['))'] },
  separator: '\n',
  arguments: { as: 'keywords' },
  marks: 'words',
  isFallback: true,
}

/**
 * [set_lamp(room="den", tags=['a', "b"], on=True), ping()]
 */
export const pythonic: Dialect = {
  name: 'pythonic',
  models: 'Llama 3.2 1B and 3B, ToolACE, Gemma 3',
  speaks: /llama-?3\.2|toolace|gemma-?3(?!n)/i,
  grammar: {
    section: { open: ['['], close: [']'] },
    call: { open: ['{name}('], close: [')'] },
    separator: ', ',
    arguments: { as: 'keywords' },
    marks: 'words',
    isFallback: true,
  },
  variants: [inPrint, { ...inPrint, call: { open: ['default_api.{name}(', '{name}('], close: [')'] } }],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, answer with nothing but a Python list of calls with keyword arguments.',
    result: '{name}() returned: {content}',
    resultSeparator: '\n',
  }),
}
