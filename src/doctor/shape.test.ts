import { expect, test } from 'vitest'
import { shapeOfStream, shapeOfWhole } from './shape.ts'

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })
const call = (index: number | undefined, head: object, piece?: string, id?: string) => ({
  tool_calls: [
    { index, ...(id !== undefined && { id }), ...head, ...(piece !== undefined && { function: { arguments: piece } }) },
  ],
})
const begin = (index: number | undefined, id = `call_${index}`) => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'ping', arguments: '' } }],
})
const end = [chunk({}, 'tool_calls'), '[DONE]']

test('a stream with words and two calls is as it should be', () => {
  const events = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'On it.' }),
    chunk(begin(0)),
    chunk(call(0, {}, '{"a"')),
    chunk(call(0, {}, ': 1}')),
    chunk(begin(1)),
    chunk(call(1, {}, '{}')),
    chunk({}, 'tool_calls'),
    JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage: {} }),
    '[DONE]',
  ]
  expect(shapeOfStream(events)).toEqual({
    content: 'On it.',
    calls: [
      { id: 'call_0', name: 'ping', arguments: '{"a": 1}' },
      { id: 'call_1', name: 'ping', arguments: '{}' },
    ],
    problems: [],
  })
})

test.each<[string, readonly string[], string]>([
  [
    'a call without its index',
    [chunk(begin(undefined, 'a')), chunk(call(0, {}, '{}')), ...end],
    'A delta of a call has no `index`.',
  ],
  [
    'indexes from 1',
    [chunk(begin(1)), chunk(call(1, {}, '{}')), ...end],
    'The indexes of calls do not count up from 0.',
  ],
  ['no id', [chunk(begin(0, '')), chunk(call(0, {}, '{}')), ...end], 'A call has no `id`.'],
  [
    'one id twice',
    [chunk(begin(0, 'a')), chunk(call(0, {}, '{}')), chunk(begin(1, 'a')), chunk(call(1, {}, '{}')), ...end],
    'Two calls have the same `id`.',
  ],
  ['an id that changes', [chunk(begin(0)), chunk(call(0, {}, '{}', 'other')), ...end], 'The `id` of a call changes.'],
  [
    'the name twice',
    [chunk(begin(0)), chunk(begin(0)), chunk(call(0, {}, '{}')), ...end],
    'The `name` of a call comes twice.',
  ],
  ['half of the arguments', [chunk(begin(0)), chunk(call(0, {}, '{"a": ')), ...end], '`arguments` is no JSON object.'],
  [
    'calls that take turns',
    [chunk(begin(0)), chunk(begin(1)), chunk(call(0, {}, '{}')), chunk(call(1, {}, '{}')), ...end],
    'A call goes on after the next has begun.',
  ],
  [
    'the wrong end',
    [chunk(begin(0)), chunk(call(0, {}, '{}')), chunk({}, 'stop'), '[DONE]'],
    '`finish_reason` is "stop" where it has to be "tool_calls".',
  ],
  ['no end', [chunk({ content: 'Hi' })], 'The stream does not end with [DONE].'],
  [
    'words after the end',
    [chunk({}, 'stop'), chunk({ content: 'Hi' }), '[DONE]'],
    'Something follows `finish_reason`.',
  ],
  ['another id', [chunk({}), chunk({}, 'stop', { id: 'c2' }), '[DONE]'], 'The chunks have not all the same `id`.'],
  ['an error', ['{"error": {"message": "no"}}', '[DONE]'], 'The stream tells an error: {"message":"no"}'],
])('a stream with %s', (_, events, problem) => {
  expect(shapeOfStream(events).problems).toContain(problem)
})

test('an answer that was cut off may end in the middle of a call', () => {
  const events = [chunk(begin(0)), chunk(call(0, {}, '{"a": ')), chunk({}, 'length'), '[DONE]']
  expect(shapeOfStream(events).problems).toEqual([])
})

test.each<[string, object, object, readonly string[]]>([
  ['words', { content: 'Hi' }, { finish_reason: 'stop' }, []],
  [
    'a call',
    { content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
    {},
    [],
  ],
  [
    'arguments that are no string',
    { content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }] },
    {},
    ['`arguments` is no string.'],
  ],
  ['no content', {}, { finish_reason: 'stop' }, ['`content` is neither a string nor null.']],
])('an answer in one piece with %s', (_, message, choice, problems) => {
  const body = {
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'tool_calls', ...choice }],
  }
  expect(shapeOfWhole(body).problems).toEqual(problems)
})
