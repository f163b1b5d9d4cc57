import type { Dialect } from './dialect.ts'
import { functionLines, lesson } from './teaching.ts'

/**
 * <|START_ACTION|>[{"tool_name": "set_lamp", "parameters": {"room": "den"}, "tool_call_id": "0"}]<|END_ACTION|>
 */
export const cohereCmd3: Dialect = {
  name: 'cohere-cmd3',
  models: 'Command R7B, Command A',
  speaks: /command-(?:r7b|a)(?!-2026)|c4ai-command-a/i,
  grammar: {
    section: { open: ['<|START_ACTION|>'], close: ['<|END_ACTION|>'] },
    call: { open: [], close: [] },
    separator: ', ',
    arguments: { as: 'envelope', nameKey: 'tool_name', argumentsKey: 'parameters', idKey: 'tool_call_id', array: true },
    ids: { template: '{number}', first: 0 },
  },
  reasoning: [{ open: ['<|START_THINKING|>'], close: ['<|END_THINKING|>'] }],
  dropped: [
    '<|START_RESPONSE|>',
    '<|END_RESPONSE|>',
    '<|START_TEXT|>',
    '<|END_TEXT|>',
    '<|END_OF_TURN_TOKEN|>',
    '<|CHATBOT_TOKEN|>',
    '<co>',
    '</co:…>',
  ],
  leading: ['<|START_RESPONSE|>', '<|START_TEXT|>', '<|CHATBOT_TOKEN|>', '<co>'],
  teaching: lesson({
    tools: functionLines,
    how: 'To call tools, write between <|START_ACTION|> and <|END_ACTION|> a JSON array of objects with "tool_call_id", "tool_name" and "parameters".',
    result: '<|START_TOOL_RESULT|>{id}: {content}<|END_TOOL_RESULT|>',
    resultSeparator: '\n',
  }),
}
