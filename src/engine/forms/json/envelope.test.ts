import { expect, test } from 'vitest'
import { hear } from '../../../../test/engine/hear.ts'

test.each(['name', 'tool_name', 'tool', 'function', 'function_name', 'action', 'recipient_name'])(
  'the name may stand under %s',
  (key) => {
    expect(hear('hermes', `<tool_call>{"${key}": "ping"}</tool_call>`)).toMatchObject({ calls: ['ping {}'], notes: [] })
  },
)

test.each(['arguments', 'parameters', 'args', 'input', 'params', 'action_input', 'kwargs'])(
  'the arguments may stand under %s',
  (key) => {
    const text = `<tool_call>{"name": "set_lamp", "${key}": {"room": "den"}}</tool_call>`
    expect(hear('hermes', text)).toMatchObject({ calls: ['set_lamp {"room": "den"}'], notes: [] })
  },
)

test.each(['function', 'tool_call', 'function_call', 'tool_calls'])('the envelope may stand under %s', (key) => {
  const text = `<tool_call>{"id": 1, "${key}": {"name": "ping", "arguments": {}}, "index": 0}</tool_call>`
  expect(hear('hermes', text)).toMatchObject({ calls: ['ping {}'], text: '', notes: [] })
})

test.each([
  ['the first of two names counts', '{"name": "ping", "tool": "set_lamp", "arguments": {}}', 'ping {}', []],
  ['a name that is no text is passed over', '{"name": 5, "tool": "ping", "arguments": {}}', 'ping {}', []],
  [
    'arguments beside the name',
    '{"name": "set_lamp", "room": "den", "level": "3", "id": 7}',
    'set_lamp {"room": "den", "level": 3}',
    ['arguments_beside_name', 'coerced string to integer'],
  ],
  [
    'arguments under another key',
    '{"name": "set_lamp", "argument": {"room": "den"}}',
    'set_lamp {"room": "den"}',
    ['arguments_beside_name'],
  ],
  [
    'arguments under another key, in a string',
    '{"argument": "{\\"room\\": \\"den\\"}", "name": "set_lamp"}',
    'set_lamp {"room": "den"}',
    ['arguments_beside_name', 'arguments_repaired unwrapped from a string'],
  ],
  ['the first of two arguments counts', '{"name": "ping", "args": {}, "input": {"a": 1}}', 'ping {}', []],
  [
    'no arguments: null',
    '{"arguments": null, "name": "ping"}',
    'ping {}',
    ['arguments_first', 'arguments_repaired null to {}'],
  ],
  [
    'no arguments: an empty text',
    '{"arguments": "", "name": "ping"}',
    'ping {}',
    ['arguments_first', 'arguments_repaired unwrapped from a string'],
  ],
  [
    'no arguments: an empty list',
    '{"arguments": [], "name": "ping"}',
    'ping {}',
    ['arguments_first', 'arguments_repaired [] to {}'],
  ],
  ['a closing brace forgotten', '{"name": "ping", "arguments": {}', 'ping {}', ['json_repaired missing brackets']],
])('%s', (_, body, call, notes) => {
  expect(hear('hermes', `<tool_call>${body}</tool_call>`)).toMatchObject({
    calls: [call],
    text: '',
    notes,
    failures: [],
  })
})

test.each([
  ['no object', '```json\n("name": "ping"}\n```'],
  ['no name', '{"arguments": {"room": "den"}}'],
  ['a sign before the name', '{; "name": "ping"}'],
  ['a member that cannot be read before the name', '{"x": nope, "name": "ping"}'],
  ['arguments that cannot be read before the name', '{"arguments": nope: 1, "name": "ping"}'],
])('%s makes no call', (_, body) => {
  const text = `<tool_call>${body}</tool_call>`
  expect(hear('hermes', text)).toMatchObject({ text, calls: [], notes: [], failures: [] })
})

test.each([
  ['a sign after the arguments', '{"name": "ping", "arguments": {}; }'],
  ['a key without a value', '{"name": "ping", "arguments": {}, "x", 1}'],
  ['a value that cannot be read', '{"name": "ping", "arguments": {}, "x": nope: 1}'],
  ['a colon after the arguments', '{"name": "ping", "arguments": {} : 1}'],
])('%s spoils the call', (_, body) => {
  const text = `<tool_call>${body}</tool_call>`
  expect(hear('hermes', text)).toMatchObject({ text, calls: [], failures: ['unreadable'] })
})

test.each([
  ['{"name": "ping", "arguments": {}'],
  ['{"name": "ping", "arguments": {}, "x'],
  ['{"name": "ping", "arguments": {}, "x": [1'],
  ['{"name": "set_lamp", "arguments": {"room": "d'],
])('%s, where the length ran out, is cut off', (body) => {
  const text = `<tool_call>${body}`
  expect(hear('hermes', text, { ends: 'length' })).toMatchObject({
    text,
    calls: [],
    failures: ['cut-off'],
    finish: 'length',
  })
})

test('what is whole but for its closers is a call when the model stopped there', () => {
  expect(hear('hermes', '<tool_call>{"name": "ping", "arguments": {}')).toMatchObject({ calls: ['ping {}'], text: '' })
})

test.each([
  ['[{"set_lamp": {"room": "den"}, "ping": {"a": 1}}]', ['set_lamp {"room": "den"}'], []],
  ['[{"set_lamp": {"room", "x": 1}}]', [], ['unreadable']],
  ['[{"ping": nope}]', [], []],
])('where the name is the key, %s makes %j', (body, calls, failures) => {
  expect(hear('apertus', `<|tools_prefix|>${body}<|tools_suffix|>`)).toMatchObject({ calls, failures })
})

test.each(['{"name": "rm", "tool": "ping"}', '{"name": "pi', '{"nam'])('faint marks around %s are text', (text) => {
  expect(hear('json-bare', text)).toMatchObject({ text, calls: [], failures: [] })
})

test.each([
  '{"arguments": 5, "name": "ping"}',
  '{"name": "ping", "arguments": 5}',
  '{"arguments": [1], "name": "ping"}',
  '{"arguments": "den", "name": "ping"}',
])('%s is no call: its arguments are none', (body) => {
  const text = `<tool_call>${body}</tool_call>`
  expect(hear('hermes', text)).toMatchObject({ calls: [], text, failures: [], finish: 'stop' })
})

test.each(['{"name": "ping", "arguments": "{} and more"}', '{"name": "ping", "arguments": "{"}'])(
  '%s is no call: its arguments go wrong',
  (body) => {
    const text = `<tool_call>${body}</tool_call>`
    expect(hear('hermes', text)).toMatchObject({ calls: [], text, failures: ['unreadable'], finish: 'stop' })
  },
)

test('braces too many in a string do no harm', () => {
  const text = '<tool_call>{"name": "set_lamp", "arguments": "{\\"room\\": \\"den\\"}} "}</tool_call>'
  expect(hear('hermes', text)).toMatchObject({ calls: ['set_lamp {"room": "den"}'], text: '' })
})

test.each([
  ['json-bare', '{"name": "ping", "description": "asks who is there"}'],
  ['hermes', '{"name": "ping", "version": 1}'],
])('%s: what describes a tool is no call of it, and nothing is noted: %s', (dialect, text) => {
  expect(hear(dialect, text)).toMatchObject({ text, calls: [], notes: [], failures: [] })
})
