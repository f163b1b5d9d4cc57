import { expect, test } from 'vitest'
import type { Call } from '../../../protocol/call.ts'
import { inUsualOrder, type Message } from '../../../protocol/message.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../upstream.ts'
import { createThoughts, type Thoughts } from './thoughts.ts'

const user = (content: string): Message => ({ role: 'user', content })
const call = (id: string, json = '{"path":"/a"}'): Call => ({ id, kind: 'function', name: 'read', arguments: json })
const calls = (...made: readonly Call[]): Message => ({ role: 'assistant', content: inUsualOrder({ calls: made }) })

function asking(messages: readonly Message[], more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return { model: 'm', messages, tools: [], sampling: {}, extra: {}, owner: 'ada', ...more }
}

/** The model thinks and calls, in answer to this. */
function think(thoughts: Thoughts, request: UpstreamRequest, thought: string, made: readonly UpstreamEvent[]): void {
  const heard = thoughts.about(request).listen()
  for (const piece of thought) heard.pass([{ type: 'reasoning', text: piece }])
  for (const event of made) heard.pass([event])
  heard.end()
}

const begun = asking([user('Read it.')])
const made: readonly UpstreamEvent[] = [
  { type: 'call', index: 0, id: 'call_0', name: 'read' },
  { type: 'call', index: 0, json: '{"path": ' },
  { type: 'call', index: 0, json: '"/a"}' },
]
const recall = (thoughts: Thoughts, request: UpstreamRequest, id = 'call_0') => thoughts.about(request).recall(id)

test('what was thought before a call is known once the answer is over', () => {
  const thoughts = createThoughts()
  const next = asking([user('Read it.'), calls(call('call_0'))])
  const heard = thoughts.about(begun).listen()
  heard.pass([{ type: 'reasoning', text: 'Look first.' }, ...made])
  expect(recall(thoughts, next)).toBeUndefined()
  heard.end()
  expect(recall(thoughts, next)).toBe('Look first.')
})

test.each<[string, UpstreamRequest]>([
  ['under the id the client got', asking([user('Read it.'), calls(call('call_x'))])],
  ['in another spelling', asking([user('Read it.'), calls(call('call_x', '{ "path" : "/a" }'))])],
  ['with another system text', asking([{ role: 'system', content: '10:31' }, user('Read it.'), calls(call('call_x'))])],
])('a call that comes back %s is the same call', (_, request) => {
  const thoughts = createThoughts()
  think(thoughts, begun, 'Look first.', made)
  expect(recall(thoughts, request, 'call_x')).toBe('Look first.')
})

test.each<[string, UpstreamRequest]>([
  ['another client', asking([user('Read it.'), calls(call('call_0'))], { owner: 'bob' })],
  ['another key for the service', asking([user('Read it.'), calls(call('call_0'))], { clientKey: 'sk-bob' })],
  ['another model', asking([user('Read it.'), calls(call('call_0'))], { model: 'n' })],
  ['another conversation', asking([user('Read that.'), calls(call('call_0'))])],
  ['another call', asking([user('Read it.'), calls(call('call_0', '{"path":"/b"}'))])],
])('%s with the same id does not get it', (_, request) => {
  const thoughts = createThoughts()
  think(thoughts, begun, 'Look first.', made)
  expect(recall(thoughts, request)).toBeUndefined()
})

test('parallel calls share a thought, and the same call again has its own', () => {
  const thoughts = createThoughts()
  const other: UpstreamEvent = { type: 'call', index: 1, id: 'call_1', name: 'list' }
  think(thoughts, begun, 'first', [...made, other])
  const listed: Call = { id: 'b', kind: 'function', name: 'list', arguments: '{}' }
  const again = asking([user('Read it.'), calls(call('a'), listed), { role: 'tool', callId: 'a', content: '' }])
  think(thoughts, again, 'second', made)
  const last = asking([...again.messages, calls(call('c'))])
  expect(['a', 'b', 'c'].map((id) => recall(thoughts, last, id))).toEqual(['first', 'first', 'second'])
})

test('an id that stands for two calls stands for none', () => {
  const thoughts = createThoughts()
  think(thoughts, begun, 'first', made)
  const twice = asking([user('Read it.'), calls(call('call_0')), calls(call('call_0', '{"path":"/b"}'))])
  expect(recall(thoughts, twice)).toBeUndefined()
})

test('a model that thought once is known to think, and no other', () => {
  const thoughts = createThoughts()
  think(thoughts, begun, '', made)
  expect(thoughts.about(begun).thinks).toBe(false)
  think(thoughts, begun, 'Look first.', made)
  expect(thoughts.about(asking([], { owner: 'bob' })).thinks).toBe(true)
  expect(thoughts.about(asking([], { model: 'n' })).thinks).toBe(false)
})

test('the oldest are forgotten first', () => {
  const thoughts = createThoughts()
  const question = (n: number) => asking([user(`Question ${n}`), calls(call('call_0'))])
  for (let n = 0; n <= 2_000; n++) think(thoughts, asking([user(`Question ${n}`)]), `${n}`, made)
  expect([0, 1, 2_000].map((n) => recall(thoughts, question(n)))).toEqual([undefined, '1', '2000'])
})
