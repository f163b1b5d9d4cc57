import { expect, test } from 'vitest'
import type { DoorContext } from '../../doors/door.ts'
import { doors } from '../../doors/registry.ts'
import { isLasting } from '../../protocol/memory/lasting.ts'
import type { Message } from '../../protocol/message.ts'
import { createAgain } from './again.ts'
import { createBodyParts } from './parts/parts.ts'

const long = 'The quick brown fox jumps over the lazy dog. '.repeat(4)
const input = { path: '/src/app.ts', text: long }
const turns = (count: number) => Array.from({ length: count }, (_, n) => `call_${n}`)
const chatTurn = (id: string, given: unknown) => [
  { role: 'user', content: `${id}: ${long}` },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: given } }],
  },
  { role: 'tool', tool_call_id: id, content: `${id} says ${long}` },
]

/** A conversation of so many turns, in each door's words. */
const bodies: Readonly<Record<string, (count: number) => object>> = {
  chat: (count) => ({ messages: turns(count).flatMap((id) => chatTurn(id, JSON.stringify(input))) }),
  responses: (count) => ({
    instructions: long,
    input: turns(count).flatMap((id) => [
      { role: 'user', content: `${id}: ${long}` },
      { type: 'function_call', call_id: id, name: 'read', arguments: JSON.stringify(input) },
      { type: 'function_call_output', call_id: id, output: `${id} says ${long}` },
    ]),
  }),
  messages: (count) => ({
    max_tokens: 9,
    system: long,
    messages: turns(count).flatMap((id) => [
      { role: 'user', content: `${id}: ${long}` },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `${id} says ${long}` }] },
    ]),
  }),
  ollama: (count) => ({ messages: turns(count).flatMap((id) => chatTurn(id, input)) }),
}

const context: DoorContext = {
  rest: '',
  query: () => undefined,
  header: () => undefined,
  body: async () => undefined,
  createId: (prefix) => `${prefix}1`,
  now: () => 0,
  started: 0,
  limits: { tools: 9 },
  models: async () => [],
  model: async (id) => ({ id, ownedBy: '', tools: 'auto' }),
  countTokens: async () => 1,
  embed: async () => ({ vectors: [] }),
  store: { get: async () => undefined, set: async () => undefined, delete: async () => undefined },
}

const asking = doors.map((door) => {
  const route = door.routes.find(({ grows }) => grows !== undefined)
  if (route === undefined || !('read' in route)) throw new Error(`nothing grows at the door ${door.name}`)
  return { name: door.name, grows: route.grows ?? '', read: route.read }
})

test.each(asking)('at the door $name, what was said before is the same again', async ({ name, grows, read }) => {
  const parts = createBodyParts()
  const again = createAgain()

  async function say(count: number): Promise<readonly Message[]> {
    const written = JSON.stringify({ model: 'm', ...bodies[name]?.(count) })
    const { body } = parts.read(Buffer.from(written), grows) ?? {}
    const plain = await read(JSON.parse(written), context)
    const exchange = again(await read(body, context), body?.[grows])
    expect(exchange.requests).toEqual(plain.requests)
    return exchange.requests[0]?.messages ?? []
  }

  const first = await say(3)
  expect(first.length).toBeGreaterThan(8)
  const second = await say(4)
  expect(second.slice(0, first.length).every((message, place) => message === first[place])).toBe(true)
  expect(second.every(isLasting)).toBe(true)
  const third = await say(4)
  expect(third.every((message, place) => message === second[place])).toBe(true)
})
