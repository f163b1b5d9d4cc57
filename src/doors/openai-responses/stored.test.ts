import { describe, expect, test } from 'vitest'
import { checkBody } from '../../../test/doors/responses-checker.ts'
import { answerAt, createTestStore, readAt } from '../../../test/doors/visit.ts'
import type { Event } from '../../protocol/event.ts'
import { inUsualOrder } from '../../protocol/message.ts'
import type { DoorContext } from '../door.ts'
import { openaiResponses } from './door.ts'

type Fields = Record<string, unknown>

const spoken: readonly Event[] = [
  { type: 'reasoning-delta', text: 'Hm.' },
  { type: 'text-delta', text: 'Let me look.' },
  { type: 'call-start', index: 0, id: 'call_a', name: 'look' },
  { type: 'call-delta', index: 0, json: '{}' },
  { type: 'call-end', index: 0 },
  { type: 'usage', promptTokens: 3, completionTokens: 4 },
  { type: 'finish', reason: 'tool_calls' },
]

/** A door with a store and ids that never repeat, as a client meets it over several requests. */
function visitDoor() {
  const store = createTestStore()
  let ids = 0
  const given = { store, createId: (prefix: string) => `${prefix}${++ids}` }
  const at = (body: object) => readAt(openaiResponses, '/v1/responses', { model: 'm', ...body }, given)
  return {
    store,
    at,
    async respond(body: object, events: readonly Event[] = spoken): Promise<Fields & { id: string; output: Fields[] }> {
      const response = JSON.parse(await (await at(body)).printBody([events]))
      checkBody(response)
      return response
    },
    messages: async (body: object) => (await at(body)).requests[0]?.messages,
    get: async (rest: string, more: Partial<DoorContext> = {}) =>
      JSON.parse((await answerAt(openaiResponses, 'GET', '/v1/responses/', { ...given, rest, ...more })).body),
    async delete(rest: string) {
      return JSON.parse((await answerAt(openaiResponses, 'DELETE', '/v1/responses/', { ...given, rest })).body)
    },
    async cancel(rest: string) {
      return JSON.parse((await answerAt(openaiResponses, 'POST', '/v1/responses/', { ...given, rest })).body)
    },
  }
}

const tools = [{ type: 'function', name: 'look' }]
const first = { input: 'Go.', tools, instructions: 'Be short.' }
const told = [
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: inUsualOrder({
      content: 'Let me look.',
      reasoning: 'Hm.',
      calls: [{ id: 'call_a', kind: 'function', name: 'look', arguments: '{}' }],
    }),
  },
  { role: 'tool', callId: 'call_a', content: 'seen' },
]
const result = { type: 'function_call_output', call_id: 'call_a', output: 'seen' }

describe('a response that goes on from another', () => {
  test('has all that was said before, but not the instructions', async () => {
    const door = visitDoor()
    const { id } = await door.respond(first)
    expect(await door.messages({ previous_response_id: id, input: [result], tools })).toEqual(told)
  })

  test('and so has the one after that', async () => {
    const door = visitDoor()
    const { id } = await door.respond(first)
    const done: readonly Event[] = [
      { type: 'text-delta', text: 'Done.' },
      { type: 'finish', reason: 'stop' },
    ]
    const second = await door.respond({ previous_response_id: id, input: [result] }, done)
    expect(second['previous_response_id']).toBe(id)
    expect(await door.messages({ previous_response_id: second.id, input: 'Thanks.' })).toEqual([
      ...told,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Thanks.' },
    ])
  })

  test('is kept before the stream says that it is complete', async () => {
    const door = visitDoor()
    const printer = (await door.at({ ...first, stream: true })).createStream()
    printer.push(0, spoken)
    expect(door.store.kept.size).toBe(0)
    const last = await printer.end()
    const id = /"id":"(resp_\w+)"/.exec(last)?.[1] ?? ''
    expect([...door.store.kept.keys()]).toContain(`response:${id}`)
  })

  test.each([
    ['nothing is kept where it is not wanted', { store: false }, 0],
    ['kept is the response and each of its items', {}, 4],
  ])('%s', async (_name, more, size) => {
    const door = visitDoor()
    await door.respond({ ...first, ...more })
    expect(door.store.kept.size).toBe(size)
  })

  test('finds the tools that a search brought', async () => {
    const door = visitDoor()
    const search: readonly Event[] = [
      { type: 'call-start', index: 0, id: 'call_s', name: 'tool_search' },
      { type: 'call-delta', index: 0, json: '{"query":"x"}' },
      { type: 'call-end', index: 0 },
      { type: 'finish', reason: 'tool_calls' },
    ]
    const { id } = await door.respond({ input: 'Go.', tools: [{ type: 'tool_search' }] }, search)
    const found = { type: 'tool_search_output', call_id: 'call_s', tools }
    const exchange = await door.at({ previous_response_id: id, input: [found], tools: [{ type: 'tool_search' }] })
    expect(exchange.requests[0]?.tools.map(({ name }) => name)).toEqual(['tool_search', 'look'])
  })
})

describe('what a service wants back with its answer', () => {
  const signed: readonly Event[] = [
    { type: 'call-start', index: 0, id: 'call_a', name: 'look', metadata: { thought_signature: 'sig' } },
    { type: 'call-delta', index: 0, json: '{}' },
    { type: 'call-end', index: 0 },
    { type: 'provider-metadata', fields: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz' }] } },
    { type: 'usage', promptTokens: 3, completionTokens: 4 },
    { type: 'finish', reason: 'tool_calls' },
  ]
  const given = [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: inUsualOrder({
        metadata: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz' }] },
        calls: [
          { id: 'call_a', kind: 'function', name: 'look', arguments: '{}', metadata: { thought_signature: 'sig' } },
        ],
      }),
    },
    { role: 'tool', callId: 'call_a', content: 'seen' },
  ]

  test('goes with the client, sealed, where it asks for that', async () => {
    const door = visitDoor()
    const include = ['reasoning.encrypted_content']
    const { output } = await door.respond({ ...first, store: false, include }, signed)
    expect(output.map(({ type }) => type)).toEqual(['function_call', 'reasoning'])
    const user = { role: 'user', content: 'Go.' }
    expect(await door.messages({ input: [user, ...output, result], tools })).toEqual(given)
    const [call, sealed] = output
    expect(await door.messages({ input: [user, call, result, sealed], tools })).toEqual(given)
  })

  test('is kept with the response, unseen, where it does not', async () => {
    const door = visitDoor()
    const { id, output } = await door.respond(first, signed)
    expect(output.map(({ type }) => type)).toEqual(['function_call'])
    expect(await door.messages({ previous_response_id: id, input: [result], tools })).toEqual(given)
  })
})

describe('references', () => {
  const reference = (id: unknown) => ({ type: 'item_reference', id })
  const call = { type: 'function_call', call_id: 'call_a', name: 'look', arguments: '{}' }

  test('are what they name', async () => {
    const door = visitDoor()
    const { output } = await door.respond(first)
    const [thought, words] = output
    const input = [{ role: 'user', content: 'Go.' }, reference(thought?.['id']), reference(words?.['id']), call, result]
    expect(await door.messages({ input, tools })).toEqual(told)
  })

  test('that mean nothing any more are left out where the call beside them is there, and that is told', async () => {
    const door = visitDoor()
    const input = [{ role: 'user', content: 'Go.' }, reference('rs_x'), reference('msg_x'), call, result]
    const [request] = (await door.at({ input, tools })).requests
    expect(request?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(request?.notes).toEqual([{ type: 'note', kind: 'item_dropped', detail: 'item_reference' }])
  })

  test('that mean nothing any more and were all there was are not found', async () => {
    const door = visitDoor()
    const input = [{ role: 'user', content: 'Go.' }, reference('msg_x'), { role: 'user', content: 'And?' }]
    await expect(door.at({ input })).rejects.toMatchObject({
      code: 'item_not_found',
      param: 'input[1].id',
      status: 404,
    })
  })
})

describe('what is kept', () => {
  test('can be asked for, cancelled in vain, and forgotten', async () => {
    const door = visitDoor()
    const response = await door.respond(first)
    expect(await door.get(response.id)).toEqual(response)
    expect(await door.cancel(`${response.id}/cancel`)).toEqual(response)
    expect(await door.delete(response.id)).toEqual({ id: response.id, object: 'response', deleted: true })
    expect(door.store.kept.size).toBe(0)
    await expect(door.get(response.id)).rejects.toMatchObject({ code: 'response_not_found', status: 404 })
    await expect(door.cancel(`${response.id}/cancel`)).rejects.toMatchObject({ code: 'response_not_found' })
    await expect(door.delete(response.id)).rejects.toMatchObject({ code: 'response_not_found' })
    await expect(door.messages({ previous_response_id: response.id, input: 'x' })).rejects.toMatchObject({
      code: 'previous_response_not_found',
      status: 404,
    })
  })

  test('lists its input in pages, the newest first', async () => {
    const door = visitDoor()
    const input = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }))
    const { id } = await door.respond({ input })
    const list = (query: Record<string, string>) => door.get(`${id}/input_items`, { query: (name) => query[name] })
    const all = await list({})
    expect(all).toMatchObject({
      object: 'list',
      has_more: false,
      data: [{ content: 'c' }, { content: 'b' }, { content: 'a' }],
    })
    expect(all.data.every((item: Fields) => /^msg_/.test(String(item['id'])))).toBe(true)
    const page = await list({ limit: '2', order: 'asc' })
    expect(page).toMatchObject({ has_more: true, data: [{ content: 'a' }, { content: 'b' }] })
    expect(await list({ limit: '2', order: 'asc', after: page.last_id })).toMatchObject({
      has_more: false,
      data: [{ content: 'c' }],
    })
  })

  test.each(['resp_1/output', 'resp_1/cancel/more'])('has nothing at %s', async (rest) => {
    await expect(visitDoor().get(rest)).rejects.toMatchObject({ code: 'unsupported_endpoint', status: 404 })
  })
})

test('the tokens of an input are counted as those of a request', async () => {
  const asked: unknown[] = []
  const reply = await answerAt(openaiResponses, 'POST', '/v1/responses/input_tokens', {
    body: async () => ({ model: 'm', input: 'Go.', tools }),
    async countTokens(request) {
      asked.push(request)
      return 42
    },
  })
  expect(JSON.parse(reply.body)).toEqual({ object: 'response.input_tokens', input_tokens: 42 })
  expect(asked).toMatchObject([{ messages: [{ content: 'Go.' }], tools: [{ name: 'look' }] }])
})
