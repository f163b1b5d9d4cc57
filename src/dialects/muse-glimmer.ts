import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 *  to=set_lamp<|message|><atem:function_calls>
 * <atem:invoke name="set_lamp">
 * <atem:parameter name="room">den</atem:parameter>
 * </atem:invoke>
 * </atem:function_calls><|eot|>
 */
export const museGlimmer: Dialect = {
  name: 'muse-glimmer',
  models: 'Muse Glimmer',
  speaks: /muse|glimmer/i,
  grammar: {
    section: {
      open: ['<|start|>assistant to=tool<|message|><atem:function_calls>\n'],
      close: ['\n</atem:function_calls><|eot|>'],
    },
    call: { open: ['<atem:invoke name="{name}">\n'], close: ['</atem:invoke>'] },
    separator: '\n',
    arguments: { as: 'tagged', open: '<atem:parameter name="{key}">', close: '</atem:parameter>', layout: 'inline' },
    frame: {
      open: ['<|start|>'],
      body: ['<|message|>'],
      close: ['<|eom|>', '<|eot|>'],
      call: /^(?:assistant)? ?to=(?!self|user)[^<|]+<\|message\|>$/,
      thought: /^(?:assistant)? ?to=self<\|message\|>$/,
      text: /^(?:assistant)? ?(?:to=user)?<\|message\|>$/,
      closes: true,
      startsInHeader: true,
    },
  },
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write a message to the tool with an <atem:function_calls> block: an <atem:invoke name="NAME"> element per call and an <atem:parameter name="KEY"> element per argument.',
    result: '<tool_output name="{name}">\n{content}\n</tool_output>',
    resultSeparator: '\n',
  }),
}
