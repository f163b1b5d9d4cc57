import type { Dialect } from './dialect.ts'
import { lesson } from './teaching.ts'

/**
 * <|message_model|>set_lamp<|content_invoke_tool_json|>{"name": "set_lamp", "args": {"room": "den"}}<|end_message|>
 */
export const inkling: Dialect = {
  name: 'inkling',
  models: 'Inkling',
  speaks: /inkling/i,
  grammar: {
    call: { open: ['<|message_model|>{name}<|content_invoke_tool_json|>'], close: ['<|end_message|>'] },
    separator: '',
    arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'args' },
    frame: {
      open: ['<|message_model|>'],
      body: [
        '<|content_thinking|>',
        '<|content_text|>',
        '<|content_invoke_tool_json|>',
        '<|content_invoke_tool_text|>',
        '<|content_tool_error|>',
      ],
      close: ['<|end_message|>', '<|content_model_end_sampling|>'],
      call: /^[\w.:-]*<\|content_invoke_tool_json\|>$/,
      thought: /^<\|content_thinking\|>$/,
      text: /^<\|content_(?:text|invoke_tool_text|tool_error)\|>$/,
      startsInHeader: true,
    },
  },
  teaching: lesson({
    tools: { style: 'sorted-json', open: '[', separator: ',', close: ']\n\n' },
    how: 'To call a tool, write <|message_model|>, its name, <|content_invoke_tool_json|>, a JSON object with "name" and "args", and <|end_message|>.',
    result: '<|message_tool|>{name}<|content_text|>{content}<|end_message|>',
    resultSeparator: '',
  }),
}
