import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <cofl:tool_calls><cofl:tool_call id="0" name="set_lamp"><room>den</room></cofl:tool_call></cofl:tool_calls>
 */
export const cohereCofl: Dialect = {
  name: 'cohere-cofl',
  models: 'newer Cohere models',
  grammar: {
    section: { open: ['<cofl:tool_calls>'], close: ['</cofl:tool_calls>'] },
    call: {
      open: ['<cofl:tool_call id="{id}" name="{name}">', '<cofl:tool_call name="{name}">'],
      close: ['</cofl:tool_call>'],
    },
    separator: '',
    arguments: { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'inline' },
    ids: { template: '{number}', first: 0 },
  },
  teaching: lesson({
    how: 'To call tools, write <cofl:tool_call id="0" name="…"> elements with one child element per argument inside <cofl:tool_calls>.',
    result: '<cofl:tool_result id="{id}">{content}</cofl:tool_result>',
    resultSeparator: '\n',
  }),
}
