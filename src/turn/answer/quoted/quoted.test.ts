import { describe, expect, test } from 'vitest'
import type { Message } from '../../../protocol/message.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { createQuotedCalls, type QuotedCalls } from './quoted.ts'

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'run',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' }, times: { type: 'integer' } },
      required: ['command'],
    },
  },
  { kind: 'function', name: 'list_files', parameters: { type: 'object', properties: {} } },
]

function quotedIn(...said: readonly (string | Message)[]): QuotedCalls {
  const messages = said.map((one): Message => (typeof one === 'string' ? { role: 'user', content: one } : one))
  return createQuotedCalls({ model: 'm', messages, tools, sampling: {}, extra: {} }, tools)
}

const ls = '{"command":"ls"}'
const marked = '<tool_call>{"name": "run", "arguments": {"command": "ls"}}</tool_call>'

describe('a call is found', () => {
  test.each([
    ['in marks', marked],
    ['in the middle of prose', `Then write ${marked} and wait.`],
    ['in a fence', `\`\`\`\n${marked}\n\`\`\``],
    ['in inline code', `Use \`${marked}\`, please.`],
    ['in a quotation', `> ${marked.replace('{', '\n> {')}`],
    ['with numbered lines', '1\t<tool_call>\n2\t{"name": "run",\n3\t"arguments": {"command": "ls"}}\n4\t</tool_call>'],
    [
      'with lines as grep finds them',
      'a/b-c.md:1:<tool_call>\na/b-c.md-2-{"name": "run",\na/b-c.md:3:"arguments": {"command": "ls"}}\na/b-c.md:4:</tool_call>',
    ],
    ['in a thought', `<think>${marked}</think>`],
    ['after a mark that belongs to nothing', `<tool_call> is a mark. ${marked}`],
    ['in a JSON string', JSON.stringify({ text: `It says ${marked}` })],
    ['in a JSON string in a JSON string', JSON.stringify(JSON.stringify({ text: marked }))],
    [
      'in entities',
      '&lt;tool_call&gt;{&quot;name&quot;:&quot;run&quot;,&quot;arguments&quot;:{&quot;command&quot;:&quot;ls&quot;}}',
    ],
    ['with invisible characters', marked.replace('run', 'r\u200bu\u2060n').replace('ls', 'l\u00ads')],
    ['without marks', '{"name": "run", "arguments": {"command": "ls"}}'],
    ['without quotes around its keys', 'x = {name: "run", arguments: {command: "ls"}}'],
    ['with its arguments first', '{"arguments": {"command": "ls"}, "name": "run"}'],
    ['with its arguments as a text', '{"function": {"name": "run", "arguments": "{\\"command\\": \\"ls\\"}"}}'],
    ['with its name as the key', '{"run": {"command": "ls"}}'],
    ['under other keys', '{"type": "tool_use", "id": "x", "name": "run", "input": {"command": "ls"}}'],
    ['with its name on a line', 'run\n{"command": "ls"}'],
    ['as an action', 'Action: run\nAction Input: {"command": "ls"}'],
    ['as Python', 'Do run(command="ls") now.'],
    ['as Python with more around it', 'print(default_api.run(command="ls"))'],
    ['as Python, in another spelling', "run(\n  'ls',\n)"],
    ['as a tag of its name', '<run>\n<command>ls</command>\n</run>'],
    ['as YAML in a tag', '<run>\ncommand: ls\n</run>'],
    ['as tags behind the name', 'run\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>'],
    ['without its mark, in Gemma’s way', 'call:run{command:<|"|>ls<|"|>}'],
    ['with a number for a name', '<|tool_call_begin|>0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|>'],
    ['in another spelling of the name', marked.replace('run', 'functions.Run')],
  ])('%s', (_, text) => {
    const quoted = quotedIn(text)
    expect(quoted.mayHave('run')).toBe(true)
    expect(quoted.has('run', ls)).toBe(true)
    expect(quoted.has('run', '{"command":"rm"}')).toBe(false)
  })

  test.each([
    ['its keys in another order', '{"times":3,"command":"ls -la"}'],
    ['another space', '{"command":"ls  -la\\n","times":3}'],
    ['invisible characters', '{"command":"ls\u2060 -la","times":3}'],
    ['a number as a text', '{"command":"ls -la","times":"3"}'],
    ['another spelling of a number', '{"command":"ls -la","times":3.0}'],
  ])('that is repeated with %s', (_, json) => {
    const text = '<tool_call>{"name": "run", "arguments": {"command": "ls -la", "times": "3"}}</tool_call>'
    expect(quotedIn(text).has('run', json)).toBe(true)
  })

  test.each<[string, Message]>([
    ['a tool result', { role: 'tool', callId: 'a', content: marked }],
    [
      'a part of a message',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'text', text: marked },
        ],
      },
    ],
  ])('in %s', (_, message) => {
    expect(quotedIn('Hi.', message, 'Well?').has('run', ls)).toBe(true)
  })

  test.each([20, 30, marked.length - 14])('in two messages of the user, cut at %i', (at) => {
    const answer: Message = { role: 'assistant', content: 'Go on.' }
    expect(quotedIn(`See: ${marked.slice(0, at)}`, answer, `${marked.slice(at)} So.`).has('run', ls)).toBe(true)
  })

  test('of a tool without arguments, where it cannot be but a call', () => {
    for (const text of [
      '<tool_call>{"name": "list_files"}</tool_call>',
      '[list_files()]',
      '{"name": "list_files", "arguments": {}}',
    ])
      expect(quotedIn(text).has('list_files', '{}'), text).toBe(true)
  })

  test('of a tool that was not declared', () => {
    expect(quotedIn(marked.replace('run', 'fly')).has('fly', ls)).toBe(true)
  })
})

describe('words are no call', () => {
  test.each([
    'run ls',
    'Run: ls',
    'Please call run with {"command": "ls"} for me.',
    'Use the tool "run" and give it command = "ls".',
    'The tool run takes <command> and {"command": "ls"} is its input.',
    'function run() { return ls }',
    'list_files() lists the files; run() runs.',
    'class list_files {}',
    '{"name": "list_files", "description": "Lists."}',
    '{"tools": ["run", "list_files"], "command": "ls"}',
    'Try `ls`.',
  ])('%s', (text) => {
    const quoted = quotedIn(text)
    expect([quoted.has('run', ls), quoted.has('list_files', '{}')]).toEqual([false, false])
  })

  test.each<Message>([
    { role: 'system', content: marked },
    { role: 'assistant', content: marked },
  ])('nor is what the $role said', (message) => {
    expect(quotedIn(message).mayHave('run')).toBe(false)
  })
})

describe('a request that holds too much to be read', () => {
  test.each([
    ['too many places', Array.from({ length: 5000 }, (_, n) => `{"run": {"times": ${n}}}`).join(' ')],
    ['too long', '<run>'.repeat(2_000_000)],
  ])('is asked for a name with its values close by: %s', (_, text) => {
    const quoted = quotedIn(`${text}\n${marked}`)
    expect(quoted.mayHave('run')).toBe(true)
    expect(quoted.has('run', ls)).toBe(true)
    expect(quoted.has('run', '{"command":"something else"}')).toBe(false)
    expect(quoted.mayHave('fly')).toBe(false)
    expect(quoted.has('list_files', '{}')).toBe(false)
  })
})
