import { describe, expect, test } from 'vitest'
import type { Event, FinishReason } from '../../../protocol/event.ts'
import type { Tool } from '../../../protocol/tool.ts'
import type { UpstreamEvent } from '../../../upstreams/upstream.ts'
import { createNativeCalls, type NativeOptions } from './native.ts'

type Piece = Omit<Extract<UpstreamEvent, { type: 'call' }>, 'type'>

/** Pieces in, and per call: its id, name, arguments and how it ended. */
function assemble(
  pieces: readonly Piece[],
  how: FinishReason | 'died' = 'tool_calls',
  options: Partial<NativeOptions> = {},
) {
  let made = 0
  const native = createNativeCalls({ newId: () => `new_${++made}`, tools, ...options })
  const events: Event[] = [...pieces.flatMap((piece) => native.push({ type: 'call', ...piece })), ...native.end(how)]
  const calls: { id: string; name: string; json: string; end: string }[] = []
  const notes: string[] = []
  let text = ''
  for (const event of events) {
    if (event.type === 'note') notes.push(event.kind)
    if (event.type === 'text-delta') text += event.text
    if (event.type === 'call-start') calls[event.index] = { id: event.id, name: event.name, json: '', end: 'open' }
    const call = 'index' in event && event.index !== undefined ? calls[event.index] : undefined
    if (call === undefined) continue
    if (event.type === 'call-delta') call.json += event.json
    if (event.type === 'call-end') call.end = 'ended'
    if (event.type === 'call-error') call.end = event.reason
  }
  return { calls, notes, text }
}

const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'read',
    parameters: { type: 'object', properties: { x: { type: 'integer' }, path: { type: 'string' } } },
  },
  { kind: 'function', name: 'write_file', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
  { kind: 'custom', name: 'shell' },
]

const read = (id: string, json: string, end = 'ended') => ({ id, name: 'read', json, end })

const cases: readonly {
  name: string
  pieces: readonly Piece[]
  how?: FinishReason | 'died'
  options?: Partial<NativeOptions>
  text?: string
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
    notes: ['id_added'],
  },
  {
    name: 'an id that stands for an earlier call is replaced',
    pieces: [{ index: 0, id: '0', name: 'read', json: '{}' }],
    options: { takenIds: () => ['0'] },
    calls: [read('new_1', '{}')],
    notes: ['id_replaced'],
  },
  {
    name: 'ids that begin alike for nine characters and more are replaced, because some clients look no further',
    pieces: [
      { index: 0, id: 'chatcmpl-tool-4f1c', name: 'read', json: '{"x":1}' },
      { index: 1, id: 'chatcmpl-tool-9a2e', name: 'read', json: '{"x":2}' },
    ],
    calls: [read('new_1', '{"x":1}'), read('new_2', '{"x":2}')],
    notes: ['id_replaced', 'id_replaced'],
  },
  {
    name: 'calls that are all numbered 0 are told apart by their ids',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x":1}' },
      { index: 0, id: 'b', name: 'read', json: '{"x":2}' },
    ],
    calls: [read('a', '{"x":1}'), read('b', '{"x":2}')],
    notes: ['index_repaired'],
  },
  {
    name: 'calls without number and id are told apart by a name after complete arguments',
    pieces: [
      { name: 'read', json: '{"x":1}' },
      { name: 'read', json: '{"x":2}' },
    ],
    calls: [read('new_1', '{"x":1}'), read('new_2', '{"x":2}')],
    notes: ['id_added', 'index_repaired', 'id_added'],
  },
  {
    name: 'calls without number and id whose arguments end in a text are told apart, too',
    pieces: [
      { name: 'read', json: '{"path":"a"}' },
      { name: 'read', json: '{"path":"b"}' },
      { name: 'write_file', json: '{"text":"c"}' },
    ],
    calls: [
      read('new_1', '{"path":"a"}'),
      read('new_2', '{"path":"b"}'),
      { id: 'new_3', name: 'write_file', json: '{"text":"c"}', end: 'ended' },
    ],
    notes: ['id_added', 'index_repaired', 'id_added', 'index_repaired', 'id_added'],
  },
  {
    name: 'calls of other tools are told apart where all share one id',
    pieces: [
      { id: 'a', name: 'read', json: '{"path":"a"}' },
      { id: 'a', name: 'write_file', json: '{"text":"c"}' },
    ],
    calls: [read('a', '{"path":"a"}'), { id: 'new_1', name: 'write_file', json: '{"text":"c"}', end: 'ended' }],
    notes: ['index_repaired', 'id_replaced'],
  },
  {
    name: 'a call without arguments is not given those of the next tool',
    pieces: [{ name: 'read' }, { name: 'write_file', json: '{"text":"c"}' }],
    calls: [read('new_1', '{}'), { id: 'new_2', name: 'write_file', json: '{"text":"c"}', end: 'ended' }],
    notes: ['index_repaired', 'id_added', 'id_added', 'empty_arguments'],
  },
  {
    name: 'an id that changes with every piece starts nothing new',
    pieces: [
      { index: 0, id: 'a', name: 'read' },
      { index: 0, id: 'b', json: '{"x"' },
      { index: 0, id: 'c', name: 'read', json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
  },
  {
    name: 'a number that changes with every piece starts nothing new',
    pieces: [
      { index: 0, id: 'a', name: 'read' },
      { index: 1, json: '{"x"' },
      { index: 2, id: 'a', json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
  },
  {
    name: 'arguments said again with every piece are said once',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"path"' },
      { index: 0, json: '{"path":"ab' },
      { index: 0, json: '{"path":"abc"}' },
    ],
    calls: [read('a', '{"path":"abc"}')],
  },
  {
    name: 'an object inside of one that begins alike is no repetition',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"y":' },
      { index: 0, json: '{"y":1}}' },
    ],
    calls: [read('a', '{"y":{"y":1}}')],
  },
  {
    name: 'an empty object before the arguments is left out',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{}' },
      { index: 0, json: '{"x"' },
      { index: 0, json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
    notes: ['arguments_repaired'],
  },
  {
    name: 'a call is told as its name says that comes longer each time, or with a prefix of its own',
    pieces: [
      { index: 0, id: 'a', name: 'write' },
      { index: 0, id: 'a', name: 'write_file', json: '{}' },
      { index: 1, id: 'b', name: 'functions.' },
      { index: 1, id: 'b', name: 'read', json: '{}' },
    ],
    calls: [{ id: 'a', name: 'write_file', json: '{}', end: 'ended' }, read('b', '{}')],
    notes: ['name_corrected'],
  },
  {
    name: 'where one call is allowed its arguments may come while a second is told',
    pieces: [
      { index: 0, id: 'a', name: 'read' },
      { index: 1, id: 'b', name: 'write_file' },
      { index: 0, json: '{"x"' },
      { index: 1, json: '{"text":"c"}' },
      { index: 0, json: ':1}' },
    ],
    options: { single: true },
    calls: [read('a', '{"x":1}')],
    notes: ['cut_after_first_call'],
  },
  {
    name: 'a call of the text is made beside native ones, unless it says the same as one of them',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x": "1", "path":"a"}' },
      { index: 0, id: 'b', name: 'read', json: '{"path":"a","x":1}', isLeaked: true },
      { index: 1, id: 'c', name: 'read', json: '{"path":"b"}', isLeaked: true },
    ],
    calls: [read('a', '{"x": 1, "path":"a"}'), read('c', '{"path":"b"}')],
    notes: ['coerced', 'leak_superseded', 'leak_rescued'],
  },
  {
    name: 'where one call is allowed a call of the text beside a native one is left out',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{"x":1}' },
      { index: 0, id: 'b', name: 'read', json: '{"x":2}', isLeaked: true },
    ],
    options: { single: true },
    calls: [read('a', '{"x":1}')],
    notes: ['cut_after_first_call'],
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
    notes: ['empty_arguments'],
  },
  {
    name: 'null for arguments is an empty object, however it is cut',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: 'nu' },
      { index: 0, json: 'll' },
    ],
    calls: [read('a', '{}')],
    notes: ['empty_arguments'],
  },
  {
    name: 'a call cut off by the length is not completed',
    pieces: [{ index: 0, id: 'a', name: 'read', json: '{"x"' }],
    how: 'length',
    calls: [read('a', '{', 'cut-off')],
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
    name: 'valid arguments pass to the letter, spaces, escapes and big numbers too',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '{ "x" : 1234567890123' },
      { index: 0, json: '4567890, "path":"\\u00e9\\/ \ud83d' },
      { index: 0, json: '\ude00" }' },
    ],
    calls: [read('a', '{ "x" : 12345678901234567890, "path":"\\u00e9\\/ \ud83d\ude00" }')],
  },
  {
    name: 'arguments put into a string are taken out of it',
    pieces: [
      { index: 0, id: 'a', name: 'read', json: '"{\\"x\\"' },
      { index: 0, json: ':1}"' },
    ],
    calls: [read('a', '{"x":1}')],
    notes: ['arguments_repaired'],
  },
  {
    name: 'a value of the wrong type is made to fit',
    pieces: [{ index: 0, id: 'a', name: 'read', json: '{"x":"5","path":7}' }],
    calls: [read('a', '{"x":5,"path":"7"}')],
    notes: ['coerced', 'coerced'],
  },
  {
    name: 'a name that only looks different is the declared one',
    pieces: [{ index: 0, id: 'a', name: 'functions.Write-File<|channel|>commentary', json: '{}' }],
    calls: [{ id: 'a', name: 'write_file', json: '{}', end: 'ended' }],
    notes: ['name_corrected'],
  },
  {
    name: 'a name in pieces is put together',
    pieces: [
      { index: 0, id: 'a', name: 'write_' },
      { index: 0, name: 'file' },
      { index: 0, json: '{}' },
    ],
    calls: [{ id: 'a', name: 'write_file', json: '{}', end: 'ended' }],
  },
  {
    name: 'arguments that come before the name wait for it',
    pieces: [
      { index: 0, id: 'a', json: '{"x"' },
      { index: 0, name: 'read', json: ':1}' },
    ],
    calls: [read('a', '{"x":1}')],
  },
  {
    name: 'a tool that was not declared is passed on and noted',
    pieces: [{ index: 0, id: 'a', name: 'fly', json: '{"x":"5"}' }],
    calls: [{ id: 'a', name: 'fly', json: '{"x":"5"}', end: 'ended' }],
    notes: ['unknown_tool'],
  },
  {
    name: 'a call of a tool the client did not choose is left out',
    pieces: [
      { index: 0, id: 'a', name: 'write_file', json: '{}' },
      { index: 1, id: 'b', name: 'read', json: '{}' },
    ],
    options: { callable: new Set(['read']), single: true },
    calls: [undefined, read('b', '{}')],
    notes: ['call_not_allowed'],
  },
  {
    name: 'the text of a custom tool becomes arguments',
    pieces: [
      { index: 0, id: 'a', name: 'shell', json: '{ls', isText: true },
      { index: 0, json: ' "x' },
    ],
    calls: [{ id: 'a', name: 'shell', json: '{"input":"{ls \\"x"}', end: 'ended' }],
  },
  {
    name: 'the text of a custom tool where its arguments belong is a text',
    pieces: [
      { index: 0, id: 'a', name: 'shell', json: 'ls' },
      { index: 0, json: ' "x' },
    ],
    calls: [{ id: 'a', name: 'shell', json: '{"input":"ls \\"x"}', end: 'ended' }],
  },
  {
    name: 'arguments that break off although the answer ended well are no call',
    pieces: [{ index: 0, id: 'a', name: 'read', json: '{"x"' }],
    calls: [read('a', '{', 'malformed')],
    notes: ['malformed_arguments'],
  },
  {
    name: 'arguments that cannot be read at all are given back as text',
    pieces: [{ index: 0, id: 'a', name: 'read', json: 'the file, please' }],
    calls: [],
    notes: ['malformed_arguments'],
    text: 'read the file, please',
  },
]

test('where one call is allowed a second is left out', () => {
  const native = createNativeCalls({ newId: () => 'new', single: true })
  const first = native.push({ type: 'call', index: 0, id: 'a', name: 'read', json: '{"x":1}' })
  expect([first.length, native.done]).toEqual([2, false])
  expect(native.push({ type: 'call', index: 1, id: 'b', name: 'read', json: '{}' })).toEqual([])
  expect(native.done).toBe(true)
  expect(native.end('stop')).toEqual([
    { type: 'call-end', index: 0 },
    { type: 'note', kind: 'cut_after_first_call' },
  ])
})

describe('native calls', () => {
  test.each(cases)('$name', ({ pieces, how, options, calls, notes = [], text = '' }) => {
    expect(assemble(pieces, how, options)).toEqual({ calls, notes, text })
  })
})

describe('a long argument costs twice as much when it is twice as long', () => {
  const begin = { index: 0, name: 'write_file' }
  test.each<[string, (n: number) => Piece, string, string]>([
    ['where each piece says the name', () => begin, '{"text":"', '"}'],
    ['where each piece has a number of its own', (n) => ({ index: n }), '{"text":"', '"}'],
    ['in a string', () => ({ index: 0 }), '"{\\"text\\":\\"', '\\"}"'],
    ['that begins with white space', () => ({ index: 0 }), '{          ', '"text":"a"}'],
  ])('%s', (how, more, opener, closer) => {
    const words = how.includes('white') ? '        ' : 'words.. '
    function millisecondsFor(count: number): number {
      const pieces = Array.from({ length: count }, (_word, n) => ({ ...more(n + 1), json: words }))
      const start = performance.now()
      const { calls } = assemble([{ ...begin, json: opener }, ...pieces, { ...more(count + 1), json: closer }])
      expect(calls).toMatchObject([{ end: 'ended' }])
      return performance.now() - start
    }
    const [once = 0, fourTimes] = [10_000, 40_000].map((n) => Math.min(millisecondsFor(n), millisecondsFor(n)))
    expect(fourTimes).toBeLessThan(10 * once + 50)
  })
})
