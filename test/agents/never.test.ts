import { describe, expect, test } from 'vitest'
import { findFaults } from './never.ts'
import type { Exchange } from './recorder.ts'

const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]

function exchange(answered: string, fields: Partial<Exchange> = {}): Exchange {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    asked: { stream: true, tools },
    userAgent: '',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    answered,
    aborted: false,
    startedMs: 0,
    endedMs: 1,
    ...fields,
  }
}

type Delta = Readonly<Record<string, unknown>>

function chunk(delta: Delta, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices })}\n\n`
}

const done = 'data: [DONE]\n\n'
const role = chunk({ role: 'assistant', content: '' })
const head = { index: 0, id: 'call_abcdefgh', type: 'function', function: { name: 'read', arguments: '' } }
const call = (fields: Delta) => chunk({ tool_calls: [fields] })
const rest = call({ index: 0, function: { arguments: '{"path": "a"}' } })
const text = chunk({ content: 'Hello' })
const calls = chunk({}, 'tool_calls') + done
const stop = chunk({}, 'stop') + done

test.each<[string, string]>([
  ['a text', role + text + stop],
  ['a call', role + call(head) + rest + calls],
  [
    'two calls',
    role +
      call(head) +
      rest +
      call({ ...head, index: 1, id: 'call_other' }) +
      call({ index: 1, function: { arguments: '{}' } }) +
      calls,
  ],
  ['comments', `: ping\n\n${role}: ping\n\n${text}${stop}`],
  [
    'an error after some text',
    `${role}${text}data: {"error":{"message":"gone","type":"server_error","code":null}}\n\n`,
  ],
])('%s has no fault', (_, answered) => {
  expect(findFaults([exchange(answered)])).toEqual([])
})

describe('a stream has a fault when', () => {
  test.each<[string, string, RegExp]>([
    ['its finish reason is missing', role + text + done, /: 1: /],
    ['its finish reason is unknown', role + text + chunk({}, 'eos') + done, /: 1: /],
    ['it ends for calls it has not', role + text + calls, /: 2: /],
    ['an id is missing', role + call({ ...head, id: undefined }) + rest + calls, /: 3: /],
    [
      'an id is used twice',
      role +
        call(head) +
        rest +
        call({ ...head, index: 1 }) +
        call({ index: 1, function: { arguments: '{}' } }) +
        calls,
      /: 4: /,
    ],
    ['an index is missing', role + call({ ...head, index: undefined }) + calls, /: 5: /],
    [
      'indexes begin at 1',
      role + call({ ...head, index: 1 }) + call({ index: 1, function: { arguments: '{}' } }) + calls,
      /: 5: /,
    ],
    ['arguments are an object', role + call({ ...head, function: { name: 'read', arguments: {} } }) + calls, /: 6: /],
    ['a type is missing', role + call({ ...head, type: undefined }) + rest + calls, /: 7: /],
    ['the role is missing', text + stop, /: 7: /],
    [
      'a name comes twice',
      role + call(head) + call({ index: 0, function: { name: 'read', arguments: '{}' } }) + calls,
      /: 8: /,
    ],
    ['it holds what is no chunk', `${role}data: {}\n\n${text}${stop}`, /: 9: /],
    ['it has an event of another kind', `${role}event: ping\n\n${text}${stop}`, /: 9: /],
    ['it ends after an error', `${role}data: {"error":{"message":"gone"}}\n\n${done}`, /: 11: /],
    ['it breaks off', role + text + chunk({}, 'stop'), /: 12: /],
    ['it says nothing', role + stop, /: 13: /],
    [
      'it calls what nobody has',
      role + call({ ...head, function: { name: 'fly', arguments: '{}' } }) + calls,
      /: 14: /,
    ],
    [
      'its arguments are cut',
      role + call(head) + call({ index: 0, function: { arguments: '{"pa' } }) + calls,
      /: 14: /,
    ],
    ['it stops although there are calls', role + call(head) + rest + stop, /: 15: /],
    ['arguments are empty', role + call(head) + calls, /: 17: /],
  ])('%s', (_, answered, fault) => {
    expect(findFaults([exchange(answered)]).join('\n')).toMatch(fault)
  })

  test.each<[string, Delta, string, RegExp]>([
    ['it calls against the choice', { tool_choice: 'none' }, role + call(head) + rest + calls, /: 16: /],
    ['it does not call against the choice', { tool_choice: 'required' }, role + text + stop, /: 16: /],
    ['usage is missing', { stream_options: { include_usage: true } }, role + text + stop, /usage/],
  ])('%s', (_, asked, answered, fault) => {
    expect(findFaults([exchange(answered, { asked: { stream: true, tools, ...asked } })]).join('\n')).toMatch(fault)
  })
})

test.each<[string, Partial<Exchange>, string, RegExp]>([
  ['a whole body for a stream', { headers: { 'content-type': 'application/json' } }, '{}', /: 10: /],
  ['a refusal without an error', { status: 400 }, 'no', /: 11: /],
  [
    'a refusal that invites to try again',
    { status: 400 },
    '{"error":{"message":"limited to 5000 bytes"}}',
    /try again/,
  ],
])('%s is a fault', (_, fields, answered, fault) => {
  expect(findFaults([exchange(answered, fields)]).join('\n')).toMatch(fault)
})

test('an id of an earlier turn is a fault too', () => {
  const turn = exchange(role + call(head) + rest + calls)
  expect(findFaults([turn, turn]).join('\n')).toMatch(/answer 2: 4: /)
})
