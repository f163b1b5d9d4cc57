import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import { tools } from '../../../test/goldens/read.ts'
import type { Dialect, Grammar } from '../../dialects/dialect.ts'
import { hermes } from '../../dialects/hermes.ts'
import { fold } from '../../protocol/fold.ts'
import { createReader } from '../reader.ts'

const envelope = '<tool_call>{"name": "ping"}'
const kimi = '<|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>{}'

test.each([
  ['hermes', `${envelope}</tool_call> x`, 'x', []],
  ['hermes', `${envelope} }} </tool_call>x`, 'x', []],
  ['hermes', `${envelope}}`, '', ['closer_missing \n</tool_call>']],
  ['hermes', `${envelope}\n</tool`, '', ['closer_missing \n</tool_call>']],
  ['hermes', `${envelope}\n</tool x`, '</tool x', ['closer_missing \n</tool_call>']],
  ['hermes', `${envelope} x`, 'x', ['closer_missing \n</tool_call>']],
  ['kimi-k2', `${kimi}<|tool_call_end|>x`, 'x', []],
  ['kimi-k2', `${kimi}<|tool_calls_section_end|>x`, 'x', ['mark_dropped <|tool_calls_section_end|>']],
  ['kimi-k2', `${kimi}<|tool_call`, '', ['closer_missing <|tool_call_end|>']],
])('%s: what closes the call %j leaves the text %j', (dialect, said, text, notes) => {
  expect(hear(dialect, said)).toMatchObject({ calls: ['ping {}'], text, notes })
})

test.each([
  ['hermes', '<tool_call>{"name": "ping"}', ['ping {}'], []],
  ['kimi-k2', kimi, ['ping {}'], []],
  ['qwen3-coder', '<function=set_lamp>{"room": "den"}', [], ['cut-off']],
  ['glm-4.5', '<tool_call>set_lamp<arg_key>room</arg_key><arg_value>den</arg_value>', [], ['cut-off']],
])(
  '%s: %s is whole without its closer only where arguments say themselves that they end',
  (name, said, calls, failures) => {
    expect(hear(name, said, { ends: 'length' })).toMatchObject({ calls, failures })
    expect(hear(name, said)).toMatchObject({ failures: [], finish: 'tool_calls' })
  },
)

test.each<[string, Partial<Grammar>, string]>([
  ['a call', { call: { open: ['@@CALL '], close: [' @@END'] } }, '@@CALL {"name": "ping"} @@END'],
  ['a call, and words stand at it', { call: { open: ['@@CALL '], close: [' @@END'] } }, '@@CALL {"name": "ping"}@@END'],
  [
    'a call with a bracket too few',
    { call: { open: ['@@CALL '], close: [' @@END'] } },
    '@@CALL {"name": "ping", "arguments": {} @@END',
  ],
  [
    'a section',
    { section: { open: ['@@CALLS'], close: [' @@END'] }, call: { open: [], close: [] } },
    '@@CALLS {"name": "ping"} @@END',
  ],
])('the closer of %s may begin with a blank', (_, grammar, said) => {
  const dialect: Dialect = { ...hermes, name: 'blank', grammar: { ...hermes.grammar, ...grammar } }
  for (const size of [1, said.length]) {
    const reader = createReader({ dialect, tools, newId: () => 'id' })
    const pieces = `${said} x`.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
    const answer = fold([...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end('stop')])
    expect(answer).toMatchObject({ content: 'x', calls: [{ name: 'ping', arguments: '{}' }] })
  }
})

test('a second call of which nothing is known but that it began was cut off', () => {
  const said = '[TOOL_CALLS]ping[ARGS]{}[TOOL_CALLS]set_lamp[ARGS]"'
  const heard = hear('mistral-v11', said, { ends: 'length' })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '[TOOL_CALLS]set_lamp[ARGS]"', finish: 'length' })
})
