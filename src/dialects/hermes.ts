import type { Dialect, Grammar } from './dialect.ts'

/** What some write for `tool_call`. */
const otherTags = [
  'function_call',
  'tool',
  'tools',
  'tool_use',
  'toolcall',
  'tool-call',
  'TOOL_CALL',
  'tool_code',
  'function',
  'json',
  'JSON',
  'xml',
  'response',
]

const grammar: Grammar = {
  call: {
    open: ['<tool_call>\n', '<tool_call type="function">\n'],
    close: ['tool_call', ...otherTags].map((tag) => `\n</${tag}>`),
  },
  separator: '\n',
  arguments: { as: 'envelope', nameKey: 'name', argumentsKey: 'arguments' },
}

/**
 * On it.
 * <tool_call>
 * {"name": "set_lamp", "arguments": {"room": "den", "level": 3}}
 * </tool_call>
 */
export const hermes: Dialect = {
  name: 'hermes',
  models: 'Hermes 2 to 4, Qwen2.5, Qwen3, QwQ, MiMo-VL, EXAONE, Granite 4, SmolLM3',
  speaks:
    /hermes|qwen-?2|qwen-?3(?!\.\d)(?!.*coder)|qwq|mimo-?vl|exaone(?!\/|-?2(?!\d))|granite-?[4-9]|smollm-?3|\bling-?2/i,
  grammar,
  variants: [
    {
      ...grammar,
      call: { ...grammar.call, open: otherTags.map((tag) => `<${tag}>\n`) },
      marks: 'words',
      isFallback: true,
    },
  ],
  dropped: ['<|im_end|>', '<|endoftext|>'],
  reasoning: [{ open: ['<scratch_pad>'], close: ['</scratch_pad>'] }],
  teaching: {
    intro: "# Tools\n\nYou may call one or more of these tools to help with the user's request. Their signatures:\n\n",
    tools: { style: 'openai-json', open: '<tools>\n', separator: '\n', close: '\n</tools>\n\n' },
    rules:
      'To call a tool, reply with a JSON object holding its name and its arguments, inside <tool_call></tool_call> tags:\n\n' +
      '<tool_call>\n{"name": <tool-name>, "arguments": <arguments-as-json>}\n</tool_call>',
    result: '<tool_response>\n{content}\n</tool_response>',
    resultSeparator: '\n',
  },
}
