import { expect, test } from 'vitest'
import { hear } from '../../test/engine/hear.ts'
import { tools } from '../../test/goldens/read.ts'

test('between faint marks only known tools are called, and any where none are known', () => {
  const text = '{"name": "rm", "arguments": {}}'
  expect(hear('json-bare', text)).toMatchObject({ text, calls: [] })
  expect(hear('json-bare', text, { tools: tools.slice(1, 2) })).toMatchObject({ text, calls: [] })
  expect(hear('json-bare', text, { tools: [] })).toMatchObject({ calls: ['rm {}'], notes: ['unknown_tool rm'] })
})

const decoy = '<function_call> {"name": "no_function", "arguments": {}}'
const real = '<function_call> {"name": "ping", "arguments": {}}'

test.each([undefined, false, true])('a name that stands for no call leaves room for one, parallel %s', (parallel) => {
  const heard = hear('granite-20b-fc', `${decoy}\n${real}`, { parallel })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '', notes: ['decoy_dropped'] })
})

test('a decoy in a fence is text', () => {
  const text = `\`\`\`\n${decoy}\n\`\`\``
  expect(hear('granite-20b-fc', text)).toMatchObject({ text, calls: [] })
})

test('a tool that has the name of a decoy is one', () => {
  const own = { kind: 'function', name: 'no_function', parameters: {} } as const
  expect(hear('granite-20b-fc', decoy, { tools: [own] }).calls).toEqual(['no_function {}'])
})

test.each([
  ['{"room": "den", "level": 3}', ['set_lamp']],
  ['{"text": "a"}', ['write_note']],
  ['{}', ['ping']],
  ['{"level": 3}', []],
  ['{"room": "den", "text": "a"}', []],
])('a call without a name goes to the one tool that takes %s', (json, names) => {
  const text = `<|tool_call_begin|>0<|tool_call_argument_begin|>${json}<|tool_call_end|>`
  expect(hear('kimi-k2', text).calls).toEqual(names.map((name) => `${name} ${json}`))
})

test('a call without a name is none where two tools take its arguments', () => {
  const [, ping] = tools
  if (ping === undefined) throw new Error('no tool')
  const text = '<|tool_call_begin|>0<|tool_call_argument_begin|>{}<|tool_call_end|>'
  expect(hear('kimi-k2', text, { tools: [ping, { ...ping, name: 'pong' }] }).calls).toEqual([])
})

const ping = '{"name": "ping", "arguments": {}}'

test.each([
  ['in marks of its own', `<tool_call>${ping}</tool_call>\n`, ''],
  ['in one list', `${ping}, `, '<tool_call>['],
])('after 1,024 calls, each %s, the rest of an answer is text', (_, unit, open) => {
  const most = hear('hermes', open + unit.repeat(1024))
  expect(most.calls).toHaveLength(1024)
  expect(most.notes).not.toContain('too_many_calls')
  const { calls, text, notes } = hear('hermes', open + unit.repeat(1027))
  expect(calls).toHaveLength(1024)
  expect(text.split(ping)).toHaveLength(4)
  expect(notes).toContain('too_many_calls')
})

test('of more than 1,024 calls that wait for the end of the answer none is made', () => {
  const text = `Look:\n\`\`\`\n${`${ping}\n`.repeat(1200)}\`\`\``
  expect(hear('json-bare', text)).toMatchObject({ text, calls: [] })
})
