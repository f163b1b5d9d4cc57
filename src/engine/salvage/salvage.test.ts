import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import { tools } from '../../../test/goldens/read.ts'
import { findDialect } from '../../dialects/registry.ts'
import { createReader } from '../reader.ts'

const hermes = (json: string) => `<tool_call>\n{"name": "write_note", "arguments": ${json}}\n</tool_call>`
const ping = '<tool_call>\n<function=ping>\n</function>\n</tool_call>'
const qwen = (inner: string) => `<tool_call>\n<function=write_note>\n${inner}</function>\n</tool_call>`
const kimi = (json: string) => `<|tool_call_begin|>functions.write_note:0<|tool_call_argument_begin|>${json}`

test.each([
  ['a bracket in a text', 'hermes', hermes('{"text": "a"}} b"}'), 'write_note {"text": "a\\"}} b"}'],
  ['the same in a list', 'jamba', '<tool_calls>[{"name": "ping", "arguments": {}}]</tool_calls>', 'ping {}'],
  ['a bracket in a text of Python', 'pythonic', '[write_note(text="a") b")]', ''],
  ['a key that comes twice', 'hermes', hermes('{"text": "a", "text": "b"}'), ''],
  ['arguments that only begin', 'granite-3', '<|tool_call|> [{"name": "func", "arguments": {', ''],
  [
    'quotes and a brace lost',
    'minimax-m1',
    '<tool_calls>\n{"name": "ping", "arguments": {"a":"x "b"\n}<tool_calls>',
    '',
  ],
  [
    'a whole call in a text',
    'qwen3-coder',
    qwen(`<parameter:text>\nSo: ${ping} ends.\n</parameter>\n`),
    `write_note ${JSON.stringify({ text: `So: ${ping} ends.` })}`,
  ],
  ['a whole call in a text without its end', 'qwen3-coder', qwen(`<parameter=text>\nSo: ${ping} ends.\n`), ''],
  [
    'a call begun anew in its arguments',
    'kimi-k2',
    `<|tool_calls_section_begin|>${kimi('{"text": "a')}${kimi('{"text": "ab"}')}<|tool_call_end|><|tool_calls_section_end|>`,
    'write_note {"text": "ab"}',
  ],
  [
    'a word for an opening tag',
    'qwen3-coder',
    qwen('<parameter=text>\nA <parameter> is a tag.\n</parameter>\n'),
    'write_note {"text":"A <parameter> is a tag."}',
  ],
  [
    'CDATA and a text behind it',
    'qwen3-coder',
    qwen('<parameter=text>\n<![CDATA[a]]> b\n</parameter>\n'),
    'write_note {"text":"<![CDATA[a]]> b"}',
  ],
])('%s', (_, dialect, said, call) => {
  expect(hear(dialect, said).calls).toEqual(call === '' ? [] : [call])
})

test('the end of CDATA that never comes is looked for once', () => {
  const said = `<function=write_note>\n<parameter=text>a${'<![CDATA['.repeat(5000)}`
  const reader = createReader({ dialect: findDialect('qwen3-coder'), tools, newId: () => 'id' })
  reader.push(said)
  reader.end('stop')
  expect(reader.work).toBeLessThan(12 * said.length)
})
