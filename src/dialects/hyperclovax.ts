import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <|im_start|>assistant -> tool/function_call
 * [{"name": "set_lamp", "arguments": {"room": "den"}}]<|im_end|>
 */
export const hyperclovax: Dialect = {
  name: 'hyperclovax',
  models: 'HyperCLOVA X SEED Think 14B',
  speaks: /hyperclova-?x.*think/i,
  grammar: {
    // The prompt ends inside the header, and a server may leave out its token.
    section: {
      open: [
        '<|im_start|>assistant -> tool/function_call\n',
        '-> tool/function_call\n',
        'assistant -> tool/function_call\n',
      ],
      close: ['<|im_end|>', ''],
    },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments', array: true },
  },
  // With the tool's own name in the header.
  variants: [
    {
      call: { open: ['<|im_start|>assistant -> tool/{name}\n', '-> tool/{name}\n'], close: ['<|im_end|>', ''] },
      separator: '\n',
      arguments: { as: 'json' },
      marks: 'words',
    },
  ],
  // The header goes on with "/think" where the model thinks first.
  reasoning: [
    {
      open: ['/think\n', '<|im_start|>assistant/think\n', 'assistant/think\n'],
      close: ['<|im_end|>'],
    },
  ],
  dropped: ['<|im_end|>', '<|stop|>', '<|endofturn|>', '<|im_start|>assistant\n'],
  leading: ['<|im_start|>assistant\n'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write <|im_start|>assistant -> tool/function_call, and on the next line a JSON array of objects with "name" and "arguments", and <|im_end|>.',
    result: '<|im_start|>tool/function_call\n{content}<|im_end|>',
    resultSeparator: '\n',
  }),
}
