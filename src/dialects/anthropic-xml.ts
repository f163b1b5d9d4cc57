import type { Dialect } from './dialect.ts'
import { minimaxM2 } from './minimax-m2.ts'
import { lesson } from './teaching.ts'

/** The namespace the native form puts before every tag, and what some make of it. */
const spaces = ['antml:', 'tml:']

/** A tag without a namespace and with each. */
const spell = (tag: (space: string) => string): readonly string[] => ['', ...spaces].map(tag)

/**
 * <function_calls>
 * <invoke name="set_lamp">
 * <parameter name="room">den</parameter>
 * </invoke>
 * </function_calls>
 */
export const anthropicXml: Dialect = {
  ...minimaxM2,
  name: 'anthropic-xml',
  models: 'Claude when prompted, and many models that imitate it',
  speaks: /claude/i,
  grammar: {
    ...minimaxM2.grammar,
    section: {
      open: spell((space) => `<${space}function_calls>\n`),
      close: spell((space) => `\n</${space}function_calls>`),
    },
    call: {
      open: spell((space) => `<${space}invoke name="{name}">\n`),
      close: spell((space) => `</${space}invoke>`),
    },
    arguments: {
      as: 'tagged',
      open: '<parameter name="{key}">',
      close: '</parameter>',
      also: spaces.map((space) => ({ open: `<${space}parameter name="{key}">`, close: `</${space}parameter>` })),
      layout: 'inline',
    },
  },
  // As the first of its models wrote it.
  variants: [
    {
      section: { open: ['<function_calls>\n'], close: ['\n</function_calls>'] },
      call: {
        open: ['<invoke>\n<tool_name>{name}</tool_name>\n<parameters>\n'],
        close: ['</parameters>\n</invoke>'],
      },
      separator: '\n',
      arguments: { as: 'tagged', open: '<{key}>', close: '</{key}>', layout: 'either' },
    },
  ],
  dropped: [],
  teaching: lesson({
    tools: { style: 'function-json', open: '<functions>\n', separator: '\n', close: '\n</functions>\n\n' },
    how: 'To call tools, write a <function_calls> block with an <invoke name="NAME"> element per call and a <parameter name="KEY"> element per argument.',
    result:
      '<function_results>\n<result>\n<tool_name>{name}</tool_name>\n<stdout>{content}</stdout>\n</result>\n</function_results>',
    resultSeparator: '\n',
  }),
}
