import type { Dialect } from './dialect.ts'
import { lesson, toolResponse } from './teaching.ts'

/**
 * <function name="set_lamp"><param name="room"><![CDATA[den & attic]]></param></function>
 */
export const minicpm5: Dialect = {
  name: 'minicpm5',
  models: 'MiniCPM5',
  speaks: /minicpm-?[5-9](?!\d*b)/i,
  grammar: {
    call: { open: ['<function name="{name}">', '<functionname="{name}">'], close: ['</function>'] },
    separator: '\n',
    arguments: {
      as: 'tagged',
      open: '<param name="{key}">',
      also: [{ open: '<paramname="{key}">', close: '</param>' }],
      close: '</param>',
      layout: 'inline',
    },
  },
  dropped: ['<|im_end|>'],
  teaching: lesson({
    how: 'To call a tool, write a <function name="NAME"> element with a <param name="KEY"> element per argument; put values with special characters into CDATA.',
    ...toolResponse,
  }),
}
