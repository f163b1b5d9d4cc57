import type { Dialect, Grammar } from './dialect.ts'
import { lesson, toolResponse } from './teaching.ts'

/** What some write for `function`. */
const otherTags = ['call', 'tool', 'invoke']

export const qwen3CoderGrammar = {
  call: {
    open: [
      '<tool_call>\n<function={name}>\n',
      '<function={name}>\n',
      '<tool_call>\n<function name="{name}">\n',
      '<tool_call>\n<function = {name}>\n',
      '<tool_call>\n<function>{name}</function>\n',
      '<tool_call>\nfunction={name}>\n',
      '<tool_call>\n<name>{name}</name>\n',
      '<tool_call>\n<tool_name>{name}</tool_name>\n',
      '<tool_call name="{name}">\n',
      '<tool_call>{name}\n',
      ...otherTags.flatMap((tag) => [`<tool_call>\n<${tag}={name}>\n`, `<${tag}={name}>\n`]),
    ],
    close: ['</function>', '</{name}>', ...otherTags.map((tag) => `</${tag}>`)].map(
      (close) => `${close}\n</tool_call>`,
    ),
  },
  separator: '\n',
  arguments: {
    as: 'tagged',
    open: '<parameter={key}>',
    close: '</parameter>',
    also: [
      { open: '<parameter name="{key}">', close: '</parameter>' },
      { open: '<parameter = {key}>', close: '</parameter>' },
      { open: '<param={key}>', close: '</param>' },
      { open: '<parameter>{key}</parameter>\n', close: '</parameter>' },
    ],
    layout: 'lines',
  },
} satisfies Grammar

/**
 * <tool_call>
 * <function=set_lamp>
 * <parameter=room>
 * den
 * </parameter>
 * </function>
 * </tool_call>
 */
export const qwen3Coder: Dialect = {
  name: 'qwen3-coder',
  models: 'Qwen3-Coder, Qwen3.5 and later, Ornith, Nemotron 3, MiMo V2 to V2.5, Step 3.5 and later',
  speaks:
    /qwen-?3.*coder|qwen-?(?:3\.[5-9]|[4-9])(?!\d*b)|ornith|nemotron-?[3-9](?!\d)|mimo(?!\/|-?vl|-?v(?:2\.[6-9]|[3-9]))|step-?(?:3\.[5-9]|[4-9](?!\d*b))|k-?exaone-?2(?!\d)/i,
  grammar: qwen3CoderGrammar,
  variants: [
    {
      ...qwen3CoderGrammar,
      call: { ...qwen3CoderGrammar.call, open: ['<tool_call>\n<{name}>\n'] },
      marks: 'words',
    },
  ],
  dropped: ['<|im_end|>'],
  teaching: lesson({
    tools: { style: 'qwen-xml', open: '<tools>\n', separator: '\n', close: '\n</tools>\n\n' },
    how: 'To call a tool, write a <tool_call> block with <function=NAME> and one <parameter=KEY> element per argument, its value on lines of its own.',
    ...toolResponse,
  }),
}
