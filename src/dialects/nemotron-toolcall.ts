import type { Dialect } from './dialect.ts'
import { jamba } from './jamba.ts'
import { lesson } from './teaching.ts'

/**
 * <TOOLCALL>[{"name": "set_lamp", "arguments": {"room": "den"}}]</TOOLCALL>
 */
export const nemotronToolcall: Dialect = {
  ...jamba,
  name: 'nemotron-toolcall',
  models: 'Llama-Nemotron, Nemotron Nano v2',
  speaks: /nemotron(?!-?[3-9](?!\d))/i,
  grammar: { ...jamba.grammar, section: { open: ['<TOOLCALL>'], close: ['</TOOLCALL>'] } },
  teaching: lesson({
    tools: { style: 'function-json', open: '<AVAILABLE_TOOLS>[', separator: ',\n', close: ']</AVAILABLE_TOOLS>\n\n' },
    how: 'To call tools, write a JSON array of objects with "name" and "arguments" inside <TOOLCALL></TOOLCALL>.',
    result: '<TOOL_RESPONSE>[{content}]</TOOL_RESPONSE>',
    resultSeparator: '\n',
  }),
}
