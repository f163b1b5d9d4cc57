import type { Dialect } from './dialect.ts'
import { gemma4 } from './gemma4.ts'
import { lesson } from './teaching.ts'

/**
 * <start_function_call>call:set_lamp{room:<escape>den<escape>}<end_function_call>
 */
export const functiongemma: Dialect = {
  ...gemma4,
  name: 'functiongemma',
  models: 'FunctionGemma 270M',
  speaks: /functiongemma/i,
  grammar: {
    call: { open: ['<start_function_call>call:{name}'], close: ['<end_function_call>'] },
    separator: '',
    arguments: { as: 'pseudo', quote: '<escape>' },
  },
  dropped: ['<end_of_turn>'],
  teaching: lesson({
    tools: {
      style: 'pseudo',
      open: '<start_function_declaration>',
      separator: '<end_function_declaration><start_function_declaration>',
      close: '<end_function_declaration>\n\n',
    },
    how: 'To call a tool, write <start_function_call>call:NAME{KEY:VALUE,…}<end_function_call>, with <escape> on both sides of every string.',
    result: '<start_function_response>response:{name} <escape>{content}<escape><end_function_response>',
    resultSeparator: '',
  }),
}
