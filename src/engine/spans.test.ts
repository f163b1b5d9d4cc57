import { expect, test } from 'vitest'
import { tools } from '../../test/goldens/read.ts'
import { dialects, findDialect } from '../dialects/registry.ts'
import { Trace } from '../protocol/trace/trace.ts'
import { createReader, type ReaderOptions } from './reader.ts'

/** What became of each stretch of an answer, whole and one character at a time, which must be the same. */
function spansOf(dialect: string, text: string, given: Given = {}): readonly string[] {
  const whole = spansOfPieces(dialect, [text], given)
  expect(spansOfPieces(dialect, [...text], given)).toEqual(whole)
  return whole
}

/** Each with its kind, the number of its call, why, and the text. */
function spansOfPieces(
  dialect: string,
  pieces: readonly string[],
  { how = 'stop', ...more }: Given,
): readonly string[] {
  const trace = new Trace()
  const taught = findDialect(dialect)
  const reader = createReader({
    ...(taught === undefined ? {} : { dialect: taught }),
    others: dialects,
    tools,
    newId: () => 'id',
    trace,
    ...more,
  })
  for (const piece of pieces) reader.push(piece)
  reader.end(how)
  const text = pieces.join('')
  return trace
    .spans()
    .map(({ kind, index, why, from, to }) =>
      [
        `${kind}${index === undefined ? '' : ` ${index}`}`,
        ...(why === undefined ? [] : [why]),
        text.slice(from, to),
      ].join(' | '),
    )
}

type Given = Partial<ReaderOptions> & { readonly how?: 'stop' | 'length' }

const call = '<tool_call>\n{"name": "set_lamp", "arguments": {"room": "den"}}\n</tool_call>'
const bare = '{"name": "ping", "arguments": {}}'
const section =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>{}<|tool_call_end|>\n<|tool_calls_section_end|>'
const ping = '<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'

test.each<[why: string, dialect: string, text: string, spans: readonly string[], given?: Given]>([
  ['a call', 'hermes', `So.\n${call}`, ['text | So.\n', `call 0 | ${call}`]],
  ['the second call', 'hermes', `${ping}\n${call}`, [`call 0 | ${ping}`, 'text | \n', `call 1 | ${call}`]],
  [
    'only the first counts',
    'hermes',
    `${ping}\n${call}`,
    [`call 0 | ${ping}`, `dropped | one-call | \n${call}`],
    { parallel: false },
  ],
  [
    'quoted',
    'hermes',
    `Use \`${ping.replaceAll('\n', '')}\` so.`,
    ['text | Use ', 'text | quoted | `<tool_call>{"name": "ping", "arguments": {}}</tool_call>`', 'text |  so.'],
  ],
  [
    'in a fence with words after it',
    'hermes',
    `\`\`\`\n${call}\n\`\`\`\nLike so.`,
    [
      'text | example | ```\n<tool_call>\n{"name": "set_lamp", "arguments": {"room": "den"}}\n</tool_call>\n```\n',
      'text | Like so.',
    ],
  ],
  [
    'in a fence',
    'hermes',
    `\`\`\`\n${call}\n\`\`\``,
    [
      'dropped | edge | ```\n',
      'call 0 | last | <tool_call>\n{"name": "set_lamp", "arguments": {"room": "den"}}\n</tool_call>',
      'dropped | edge | \n```',
    ],
  ],
  [
    'no tool of that name',
    'hermes',
    call.replace('set_lamp', 'nosuch'),
    [
      'text | no-tool | <tool_call>\n{"name": "nosuch"',
      'text | , "arguments": {"room": "den"}}\n',
      'text | no-call | </tool_call>',
    ],
    { unknownTools: 'text' },
  ],
  [
    'no arguments',
    'hermes',
    '<tool_call>\n{"name": "set_lamp"}\n</tool_call>',
    ['text | no-arguments | <tool_call>\n{"name": "set_lamp"}', 'text | \n', 'text | no-call | </tool_call>'],
  ],
  [
    'a mark and no call',
    'hermes',
    'The tag <tool_call> opens one.',
    ['text | The tag ', 'text | unreadable | <tool_call> opens ', 'text | one.'],
  ],
  [
    'cut off',
    'hermes',
    call.slice(0, 60),
    ['broken-call 0 | cut-off | <tool_call>\n{"name": "set_lamp", "arguments": {"room": "den"'],
    { how: 'length' },
  ],
  [
    'unreadable',
    'hermes',
    '<tool_call>\n{"name": "set_lamp", "arguments": {"room": den den}}\n</tool_call>',
    [
      'broken-call 0 | unreadable | <tool_call>\n{"name": "set_lamp", "arguments": {"room": den',
      'text |  den}}\n',
      'text | no-call | </tool_call>',
    ],
  ],
  [
    'two readings',
    'hermes',
    '<tool_call>\n{"name": "set_lamp", "arguments": {"room": "a "b", "level": 3}}\n</tool_call>',
    ['call 0 | <tool_call>\n{"name": "set_lamp", "arguments": {"room": "a "b", "level": 3}}\n</tool_call>'],
  ],
  [
    'without marks',
    'hermes',
    'So:\n{"name": "ping", "arguments": {}}',
    ['text | So:\n', 'call 0 | last | {"name": "ping", "arguments": {}}'],
  ],
  [
    'without marks, and unfit',
    'hermes',
    '{"name": "set_lamp", "arguments": {"nosuch": 1}}',
    ['text | unfit | {"name": "set_lamp", "arguments": {"nosuch": 1}}'],
  ],
  [
    'a thought',
    'hermes',
    `<think>hm</think>${ping}`,
    [
      'dropped | edge | <think>',
      'reasoning | hm',
      'dropped | edge | </think>',
      'call 0 | <tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
    ],
  ],
  [
    'a call in a thought',
    'hermes',
    `<think>say ${ping}</think>No.`,
    [
      'dropped | edge | <think>',
      'reasoning | say ',
      'reasoning | thought | <tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
      'dropped | edge | </think>',
      'text | No.',
    ],
  ],
  [
    'a stray mark after a call',
    'hermes',
    `${ping}<|im_end|>`,
    ['call 0 | <tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>', 'dropped | mark | <|im_end|>'],
  ],
  [
    'a mark doubled',
    'hermes',
    `<tool_call>\n${ping}`,
    [
      'dropped | mark | <tool_call>',
      'text | unreadable | \n',
      'call 0 | <tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
    ],
  ],
  [
    'a decoy',
    'command-r-plus',
    'Action:\n```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```\nHi.',
    [
      'dropped | decoy | Action:\n```json\n[{"tool_name": "directly_answer", "parameters": {}}',
      'dropped | edge | ]\n```',
      'text | \nHi.',
    ],
  ],
  [
    'what the request holds',
    'hermes',
    ping,
    ['text | echo | <tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>'],
    { quoted: { mayHave: () => true, has: () => true } },
  ],
  [
    'a message',
    'harmony',
    '<|channel|>final<|message|>Hello.<|return|>',
    ['dropped | edge | <|channel|>final<|message|>', 'text | Hello.', 'dropped | mark | <|return|>'],
  ],
  [
    'only the first of a list counts',
    'json-bare-array',
    `So:\n[${bare}, ${bare}]`,
    ['text | So:\n', `call 0 | last | [${bare}`, `dropped | one-call | , ${bare}]`],
    { parallel: false },
  ],
  ['a section', 'kimi-k2', `${section}\nDone.`, [`call 0 | ${section}`, 'text | \nDone.']],
  ['an object that is data', 'json-bare', '{"x": 1}', ['text | {"x": 1}']],
  [
    'a thought that never ends',
    'hermes',
    '<think>say <tool_call> and',
    ['dropped | edge | <think>', 'reasoning | say ', 'reasoning | cut-off | <tool_call> and'],
  ],
  [
    'a call in a thought that never ends',
    'hermes',
    `<think>So\n${ping}`,
    ['dropped | edge | <think>', 'reasoning | So\n', `call 0 | ${ping}`],
  ],
  [
    'white space around a thought',
    'hermes',
    '\n<think> a </think>\n hi',
    ['text | \n', 'dropped | edge | <think>', 'reasoning |  a ', 'dropped | edge | </think>\n ', 'text | hi'],
  ],
  [
    'messages',
    'harmony',
    '<|channel|>analysis<|message|> So. <|end|><|start|>assistant<|channel|>final<|message|> Hi',
    [
      'dropped | edge | <|channel|>analysis<|message|>',
      'reasoning |  So. ',
      'dropped | edge | <|end|><|start|>assistant<|channel|>final<|message|>',
      'text |  Hi',
    ],
  ],
])('%s', (_, dialect, text, spans, given) => {
  expect(spansOf(dialect, text, given)).toEqual(spans)
})
