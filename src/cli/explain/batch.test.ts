import { expect, test } from 'vitest'
import { toTools } from './answer.ts'
import { type BatchDefaults, explainLine } from './batch.ts'

const parameters = { type: 'object', properties: { path: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'read_file', parameters } }, { name: 'ls' }]
const read = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'
const list = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>'

function explain(record: object, defaults: BatchDefaults = {}): Record<string, unknown> {
  return JSON.parse(explainLine(JSON.stringify(record), defaults).line)
}

const readCall = { name: 'read_file', arguments: '{"path": "a"}' }
const listCall = { name: 'ls', arguments: '{}' }

test.each<[string, object, object]>([
  ['words', { text: 'Hello.' }, { content: 'Hello.', tool_calls: [], finish_reason: 'stop' }],
  [
    'a call after words',
    { text: `I look.\n\n${read}` },
    { content: 'I look.', tool_calls: [readCall], finish_reason: 'tool_calls', dialect: 'hermes', reasoning: null },
  ],
  ['only a call', { text: read }, { content: null, tool_calls: [readCall] }],
  ['a thought', { text: `<think>Hm.</think>${read}` }, { reasoning: 'Hm.', content: null, tool_calls: [readCall] }],
  ['two calls', { text: `${read}\n${list}` }, { tool_calls: [readCall, listCall] }],
  [
    'two calls where one is allowed',
    { text: `${read}\n${list}`, parallel_tool_calls: false },
    { tool_calls: [readCall] },
  ],
  [
    'a call where none is allowed',
    { text: read, tool_choice: 'none' },
    { content: read, tool_calls: [], dialect: null },
  ],
  ['a call without tools', { text: read, tools: undefined }, { content: read, tool_calls: [], finish_reason: 'stop' }],
  [
    'a call of a tool that does not count',
    { text: list, tool_choice: { type: 'function', function: { name: 'read_file' } } },
    { content: list, tool_calls: [] },
  ],
  [
    'a call that was cut off',
    { text: read.slice(0, 60), finish_reason: 'length' },
    { content: read.slice(0, 60), tool_calls: [], finish_reason: 'length' },
  ],
  [
    'a dialect that has to be named',
    { text: '<read_file>\n<path>a</path>\n</read_file>', dialect: 'roo-xml' },
    { tool_calls: [{ name: 'read_file', arguments: '{"path":"a"}' }], dialect: 'roo-xml' },
  ],
])('%s', (_, record, expected) => {
  for (const cut of [undefined, 1, 3, 7]) {
    const answer = explain({ id: 7, tools, cut, ...record })
    expect(answer).toMatchObject({ id: 7, ...expected })
    expect(Object.keys(answer)).toEqual([
      'id',
      'content',
      'reasoning',
      'tool_calls',
      'finish_reason',
      'dialect',
      'notes',
    ])
  }
})

test('what a line does not say holds from the command line', () => {
  const defaults = { tools: toTools(tools), dialect: 'roo-xml', cut: 2 }
  expect(explain({ id: 'x', text: '<ls>\n</ls>' }, defaults)).toMatchObject({ id: 'x', tool_calls: [listCall] })
  expect(explain({ text: '<ls>\n</ls>', dialect: 'hermes' }, defaults)).toMatchObject({ id: null, tool_calls: [] })
})

test.each<[string, string, string]>([
  ['no JSON', 'oops', 'The line is not JSON'],
  ['no object', '[]', 'The line is not a JSON object.'],
  ['no text', '{"id": 1, "tools": []}', 'text: expected a string.'],
  ['a wrong tool', '{"id": 1, "text": "", "tools": [{"type": "function"}]}', "'tools[0].function'"],
  ['a wrong choice', '{"id": 1, "text": "", "tool_choice": "maybe"}', "'maybe'"],
  [
    'an unknown dialect',
    '{"id": 1, "text": "", "tools": [{"name": "f"}], "dialect": "elvish"}',
    'There is no dialect "elvish".',
  ],
  ['a wrong cut', '{"id": 1, "text": "", "cut": 0}', 'cut: expected a whole number from 1.'],
  ['a wrong finish', '{"id": 1, "text": "", "finish_reason": "bored"}', 'finish_reason: expected one of'],
])('%s gives a line with the error', (_, line, message) => {
  const answer = explainLine(line, {})
  expect(answer.fine).toBe(false)
  const { id, error } = JSON.parse(answer.line)
  expect(id).toBe(line.startsWith('{') ? 1 : null)
  expect(error).toContain(message)
})
