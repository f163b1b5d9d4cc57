import type { Dialect, Grammar } from './dialect.ts'
import { lesson, toolResponse } from './teaching.ts'

/** Arguments with this between a key and its value. Models forget the key's closer, get it wrong, or write a tag of it twice. */
export function keysAndValues(seam: string): Grammar['arguments'] {
  const keys = [
    '{key}</arg_key>',
    '{key}</arg_value>',
    '{key}',
    '{key}</arg_key></arg_key>',
    '<arg_key>{key}</arg_key>',
  ]
  const close = '</arg_value>'
  const [{ open } = { open: '' }, ...also] = keys.map((key) => ({ open: `<arg_key>${key}${seam}<arg_value>`, close }))
  return { as: 'tagged', open, close, also, layout: 'inline' }
}

const grammar: Grammar = {
  call: { open: ['<tool_call>{name}\n'], close: ['</tool_call>'] },
  separator: '\n',
  arguments: keysAndValues('\n'),
}

/**
 * <tool_call>set_lamp
 * <arg_key>room</arg_key>
 * <arg_value>den</arg_value>
 * </tool_call>
 */
export const glm45: Dialect = {
  name: 'glm-4.5',
  models: 'GLM-4.5, GLM-4.6, Ring 2.6, HyperCLOVA X SEED Think 32B',
  speaks: /glm-?4\.[56]|\bring-?2\.6|hyperclova-?x.*32b/i,
  grammar,
  // Without `<tool_call>`.
  variants: [{ ...grammar, call: { ...grammar.call, open: [] }, marks: 'names' }],
  dropped: ['<|observation|>', '<|user|>', '<|assistant|>'],
  leading: ['<|assistant|>'],
  teaching: lesson({
    how: 'To call a tool, write <tool_call> with its name, then an <arg_key> and an <arg_value> element per argument on lines of their own, and </tool_call>.',
    ...toolResponse,
  }),
}
