import { expect, test } from 'vitest'
import type { Call } from '../../protocol/call.ts'
import { inUsualOrder, type Message } from '../../protocol/message.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import { type CallMemory, createCallMemory } from './recalled.ts'

const user = (content: string): Message => ({ role: 'user', content })
const call = (id: string, json = '{"path":"/a"}'): Call => ({ id, kind: 'function', name: 'read', arguments: json })
const calls = (...made: readonly Call[]): Message => ({ role: 'assistant', content: inUsualOrder({ calls: made }) })

function asking(messages: readonly Message[], more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return { model: 'm', messages, tools: [], sampling: {}, extra: {}, owner: 'ada', ...more }
}

const both = { reasoning: 'remembered', providerMetadata: 'remembered' } as const

/** The model thinks and calls, in answer to this. */
function think(memory: CallMemory, request: UpstreamRequest, thought: string, made: readonly UpstreamEvent[]): void {
  const watched = memory.about(request, both).watch()
  for (const piece of thought) watched.pass([{ type: 'reasoning', text: piece }])
  for (const event of made) watched.pass([event])
  watched.end()
}

const begun = asking([user('Read it.')])
const made: readonly UpstreamEvent[] = [
  { type: 'call', index: 0, id: 'call_0', name: 'read' },
  { type: 'call', index: 0, json: '{"path": ' },
  { type: 'call', index: 0, json: '"/a"}' },
]
const recall = (memory: CallMemory, request: UpstreamRequest, id = 'call_0') =>
  memory.about(request, both).recall(id)?.thought

test('what was thought before a call is known once the answer is over', () => {
  const memory = createCallMemory()
  const next = asking([user('Read it.'), calls(call('call_0'))])
  const watched = memory.about(begun, both).watch()
  watched.pass([{ type: 'reasoning', text: 'Look first.' }, ...made])
  expect(recall(memory, next)).toBeUndefined()
  watched.end()
  expect(recall(memory, next)).toBe('Look first.')
})

test.each<[string, UpstreamRequest]>([
  ['under the id the client got', asking([user('Read it.'), calls(call('call_x'))])],
  ['in another spelling', asking([user('Read it.'), calls(call('call_x', '{ "path" : "/a" }'))])],
  ['with another system text', asking([{ role: 'system', content: '10:31' }, user('Read it.'), calls(call('call_x'))])],
])('a call that comes back %s is the same call', (_, request) => {
  const memory = createCallMemory()
  think(memory, begun, 'Look first.', made)
  expect(recall(memory, request, 'call_x')).toBe('Look first.')
})

test.each<[string, UpstreamRequest]>([
  ['another client', asking([user('Read it.'), calls(call('call_0'))], { owner: 'bob' })],
  ['another key for the service', asking([user('Read it.'), calls(call('call_0'))], { clientKey: 'sk-bob' })],
  ['another model', asking([user('Read it.'), calls(call('call_0'))], { model: 'n' })],
  ['another conversation', asking([user('Read that.'), calls(call('call_0'))])],
  ['another call', asking([user('Read it.'), calls(call('call_0', '{"path":"/b"}'))])],
])('%s with the same id does not get it', (_, request) => {
  const memory = createCallMemory()
  think(memory, begun, 'Look first.', made)
  expect(recall(memory, request)).toBeUndefined()
})

test('parallel calls share a thought, and the same call again has its own', () => {
  const memory = createCallMemory()
  const other: UpstreamEvent = { type: 'call', index: 1, id: 'call_1', name: 'list' }
  think(memory, begun, 'first', [...made, other])
  const listed: Call = { id: 'b', kind: 'function', name: 'list', arguments: '{}' }
  const again = asking([user('Read it.'), calls(call('a'), listed), { role: 'tool', callId: 'a', content: '' }])
  think(memory, again, 'second', made)
  const last = asking([...again.messages, calls(call('c'))])
  expect(['a', 'b', 'c'].map((id) => recall(memory, last, id))).toEqual(['first', 'first', 'second'])
})

test('an id that stands for two calls stands for none', () => {
  const memory = createCallMemory()
  think(memory, begun, 'first', made)
  const twice = asking([user('Read it.'), calls(call('call_0')), calls(call('call_0', '{"path":"/b"}'))])
  expect(recall(memory, twice)).toBeUndefined()
})

test('a model that thought once is known to think, and no other', () => {
  const memory = createCallMemory()
  think(memory, begun, '', made)
  expect(memory.about(begun, both).thinks).toBe(false)
  think(memory, begun, 'Look first.', made)
  expect(memory.about(asking([], { owner: 'bob' }), both).thinks).toBe(true)
  expect(memory.about(asking([], { model: 'n' }), both).thinks).toBe(false)
})

test('the oldest are forgotten first', () => {
  const memory = createCallMemory()
  const question = (n: number) => asking([user(`Question ${n}`), calls(call('call_0'))])
  for (let n = 0; n <= 2_000; n++) think(memory, asking([user(`Question ${n}`)]), `${n}`, made)
  expect([0, 1, 2_000].map((n) => recall(memory, question(n)))).toEqual([undefined, '1', '2000'])
})
