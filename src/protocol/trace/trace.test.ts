import { expect, test } from 'vitest'
import { dialects, findDialect } from '../../dialects/registry.ts'
import { createReader, type ReaderOptions } from '../../engine/reader.ts'
import type { FinishReason } from '../event.ts'
import type { Tool } from '../tool.ts'
import { Trace } from './trace.ts'

const properties = { command: { type: 'string' } }
const tools: readonly Tool[] = [
  { kind: 'function', name: 'run', parameters: { type: 'object', properties, required: ['command'] } },
  { kind: 'function', name: 'ls', parameters: { type: 'object', properties: {} } },
]
const call = '<tool_call>{"name": "run", "arguments": {"command": "ls"}}</tool_call>'
const bare = '{"name": "run", "arguments": {"command": "ls"}}'
const quoted = { mayHave: () => true, has: () => true }

type More = Partial<ReaderOptions> & { readonly how?: FinishReason }

/** Each span as a line: what it is, why, and its text. */
function trace(name: string, text: string, { how = 'stop', ...more }: More = {}): readonly string[] {
  const told = new Trace()
  const options = { dialect: findDialect(name), others: dialects, tools, newId: () => 'id', ...more }
  const reader = createReader({ ...options, trace: told })
  reader.push(text)
  reader.end(how)
  return told.spans().map(({ kind, index, why, from, to }) => {
    return `${[kind, index, why].filter((word) => word !== undefined).join(' ')}: ${text.slice(from, to)}`
  })
}

test.each<[string, string, readonly string[], More?]>([
  ['words', 'Hello.\n', ['text: Hello.\n']],
  ['nothing', '', []],
  ['a thought that is never ended', '<think>hm', ['dropped edge: <think>', 'reasoning: hm']],
  [
    'a call in a thought',
    `<think>hm ${call}</think>So.`,
    ['dropped edge: <think>', 'reasoning: hm ', `reasoning thought: ${call}`, 'dropped edge: </think>', 'text: So.'],
  ],
  ['two calls', `A.\n${call}\n${call}`, ['text: A.\n', `call 0: ${call}`, 'text: \n', `call 1: ${call}`]],
  [
    'a mark in a sentence',
    'The mark </tool_call> ends.',
    ['text: The mark ', 'text no-call: </tool_call>', 'text:  ends.'],
  ],
  ['a mark in code', 'Say `<tool_call>`.', ['text: Say ', 'text quoted: `<tool_call>`', 'text: .']],
  ['code without marks', 'Say `{}`.', ['text: Say `{}`.']],
  [
    'a mark that is repeated',
    `<tool_call>\n${call}`,
    ['dropped mark: <tool_call>', 'text unreadable: \n', `call 0: ${call}`],
  ],
  ['a mark next to a call', `${call}</tool_call>`, [`call 0: ${call}`, 'dropped mark: </tool_call>']],
  ['a mark that waits, and words', 'A.<|im_end|>\nB.', ['text: A.', 'text no-call: <|im_end|>', 'text: \nB.']],
  [
    'a mark that waits, and a call',
    `A.<|im_end|>\n${call}`,
    ['text: A.', 'dropped mark: <|im_end|>', 'text: \n', `call 0: ${call}`],
  ],
  [
    'a mark that waits, and a call that turns out to be an example',
    `A.<|im_end|>\n${bare}\nB.`,
    ['text: A.', 'text no-call: <|im_end|>', 'text: \n', `text example: ${bare}\n`, 'text: B.'],
  ],
  [
    'a call that breaks off in its name',
    'A.\n<tool_call>{"name": ',
    ['text: A.\n', 'text unreadable: <tool_call>', 'text: {"name": '],
  ],
  [
    'a call that is cut off once begun',
    call.slice(0, 50),
    [`broken-call 0 cut-off: ${call.slice(0, 50)}`],
    { how: 'length' },
  ],
  [
    'a call that cannot be read',
    '<tool_call>{"name": "run", "arguments": {"command": %',
    ['broken-call 0 unreadable: <tool_call>{"name": "run", "arguments": {"command": ', 'text: %'],
  ],
  [
    'a call that would have a key twice',
    '<tool_call>{"name": "run", "arguments": {"command": "a "b", "command":"c" d"}}',
    [
      'broken-call 0 unreadable: <tool_call>{"name": "run", "arguments": {"command": "a "',
      'text: b", "command":"c" d"}}',
    ],
  ],
  [
    'a call without the arguments it needs',
    '<tool_call>{"name": "run"}',
    ['text no-arguments: <tool_call>{"name": "run"}'],
  ],
  ['an unmarked call', `A.\n${bare}`, ['text: A.\n', `call 0 last: ${bare}`]],
  [
    'an unmarked call that does not fit',
    '{"name": "run", "arguments": {"a": 1}}',
    ['text unfit: {"name": "run", "arguments": {"a": 1}}'],
  ],
  [
    'an unmarked call of no tool',
    '{"name": "go", "arguments": {}}',
    ['text no-tool: {"name": "go"', 'text: , "arguments": {}}'],
  ],
  ['an unmarked call that the answer begins with', `${bare}\nA.`, [`call 0 last: ${bare}`, 'text: \nA.']],
  ['an unmarked call between words', `B.\n${bare}\nA.`, ['text: B.\n', `text example: ${bare}\n`, 'text: A.']],
  ['an unmarked call that is whole, of an answer that was cut off', bare, [`call 0 last: ${bare}`], { how: 'length' }],
  ['a fence', `\`\`\`\n${call}\n\`\`\``, ['dropped edge: ```\n', `call 0 last: ${call}`, 'dropped edge: \n```']],
  ['a call of the request', `${call} A.`, [`text echo: ${call}`, 'text:  A.'], { quoted }],
  [
    'a second call where one is allowed',
    `${call}${call} A.`,
    [`call 0: ${call}`, `dropped one-call: ${call} A.`],
    { parallel: false },
  ],
  [
    'a second call where one is allowed, and both waited',
    `${bare}\n${bare}`,
    [`call 0 last: ${bare}`, `dropped one-call: \n${bare}`],
    { parallel: false },
  ],
])('%s', (_, text, expected, more) => {
  expect(trace('hermes', text, more)).toEqual(expected)
})

test.each<[string, string, readonly string[]]>([
  [
    'harmony',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.<|return|>',
    [
      'dropped edge: <|channel|>analysis<|message|>',
      'reasoning: Hm.',
      'dropped edge: <|end|><|start|>assistant<|channel|>final<|message|>',
      'text: Hi.',
      'dropped mark: <|return|>',
    ],
  ],
  [
    'command-r-plus',
    'Action: ```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```\nHi.',
    [
      'dropped decoy: Action: ```json\n[{"tool_name": "directly_answer", "parameters": {}}',
      'dropped edge: ]\n```',
      'text: \nHi.',
    ],
  ],
  ['roo-xml', '<ls/>', ['call 0: <ls/>']],
  [
    'pythonic',
    'So:\n[run(command="a")]\nto list.',
    ['text: So:\n', 'text example: [run(command="a")]\n', 'text: to list.'],
  ],
  ['hermes', '<ls/>', ['text no-arguments: <ls/>']],
])('%s: %s', (name, text, expected) => {
  expect(trace(name, text)).toEqual(expected)
})
