import { describe, expect, test } from 'vitest'
import type { Event, FinishReason } from '../protocol/event.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'
import { createNativeCalls } from './native.ts'

type Piece = Omit<Extract<UpstreamEvent, { type: 'call' }>, 'type'>

/** Pieces in, and per call: its id, name, arguments and how it ended. */
function assemble(pieces: readonly Piece[], how: FinishReason | 'died' = 'tool_calls') {
  let made = 0
  const native = createNativeCalls(() => `new_${++made}`)
  const events: Event[] = [...pieces.flatMap((piece) => native.push({ type: 'call', ...piece })), ...native.end(how)]
  const calls: { id: string; name: string; json: string; end: string }[] = []
  const notes: string[] = []
  for (const event of events) {
    if (event.type === 'note') notes.push(event.kind)
    if (event.type === 'call-start') calls[event.index] = { id: event.id, name: event.name, json: '', end: 'open' }
    const call = 'index' in event && event.index !== undefined ? calls[event.index] : undefined
    if (call === undefined) continue
    if (event.type === 'call-delta') call.json += event.json
    if (event.type === 'call-end') call.end = 'ended'
    if (event.type === 'call-error') call.end = event.reason
  }
  return { calls, notes }
}

const read = (id: string, json: string, end = 'ended') => ({ id, name: 'read', json, end })

const cases: readonly {
  name: string
  pieces: readonly Piece[]
  how?: FinishReason | 'died'
  calls: readonly unknown[]
  notes?: readonly string[]
}[] = [
  {
    name: 'pieces of one call are joined',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '' },
      { index: 0, json: '{"x"' },
      { index: 0, json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
  },
  {
    name: 'calls told in turns keep their own arguments',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x"' },
      { index: 1, id: 'b', name: 'read', json: '{"y"' },
      { index: 0, json: ':1}' },
      { index: 1, json: ':2}' },
    ],
    calls: [read('a', '{"x":1}'), read('b', '{"y":2}')],
  },
  {
    name: 'a missing id is made',
    pieces: [{ index: 0, name: 'read', json: '{}' }],
    calls: [read('new_1', '{}')],
  },
  {
    name: 'calls that are all numbered 0 are told apart by their ids',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x":1}' },
      { index: 0, id: 'b', name: 'read', json: '{"x":2}' },
    ],
    calls: [read('a', '{"x":1}'), read('b', '{"x":2}')],
  },
  {
    name: 'calls without number and id are told apart by a name after complete arguments',
    pieces: [
      { name: 'read', json: '{"x":1}' },
      { name: 'read', json: '{"x":2}' },
    ],
    calls: [read('new_1', '{"x":1}'), read('new_2', '{"x":2}')],
  },
  {
    name: 'a name and an id repeated with every piece start nothing new',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x"' },
      { index: 0, id: 'a', name: 'read', json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
  },
  {
    name: 'an empty id and an empty name on later pieces are not new ones',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x"' },
      { index: 0, id: '', name: '', json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
  },
  {
    name: 'no arguments are an empty object',
    pieces: [{ index: 0, id: 'a', name: 'read' }],
    calls: [read('a', '{}')],
    notes: ['empty-arguments'],
  },
  {
    name: 'null for arguments is an empty object, however it is cut',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: 'nu' },
      { index: 0, json: 'll' },
    ],
    calls: [read('a', '{}')],
    notes: ['empty-arguments'],
  },
  {
    name: 'a call cut off by the length is not completed',
    pieces: [{ index: 0, id: 'a', name: 'read', json: '{"x"' }],
    how: 'length',
    calls: [read('a', '{"x"', 'cut-off')],
  },
  {
    name: 'a complete call before a cut stays a call',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x":1}' },
      { index: 1, id: 'b', name: 'read', json: '{' },
    ],
    how: 'died',
    calls: [read('a', '{"x":1}'), read('b', '{', 'cut-off')],
  },
  {
    name: 'arguments that are not JSON are passed on and noted',
    pieces: [{ index: 0, id: 'a', name: 'read', json: '{x' }],
    calls: [read('a', '{x')],
    notes: ['malformed-arguments'],
  },
]

test('where one call is allowed a second is left out', () => {
  const native = createNativeCalls(() => 'new', true)
  const first = native.push({ type: 'call', index: 0, id: 'a', name: 'read', json: '{}' })
  expect([first.length, native.done]).toEqual([2, false])
  expect(native.push({ type: 'call', index: 1, id: 'b', name: 'read', json: '{}' })).toEqual([])
  expect(native.done).toBe(true)
  expect(native.end('stop')).toEqual([
    { type: 'call-end', index: 0 },
    { type: 'note', kind: 'cut-after-first-call' },
  ])
})

describe('native calls', () => {
  test.each(cases)('$name', ({ pieces, how, calls, notes = [] }) => {
    expect(assemble(pieces, how)).toEqual({ calls, notes })
  })
})
