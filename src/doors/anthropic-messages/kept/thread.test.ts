import { expect, test } from 'vitest'
import { checkStream } from '../../../../test/doors/messages-checker.ts'
import { createDoorContext, createTestStore, readAt } from '../../../../test/doors/visit.ts'
import type { Event } from '../../../protocol/event.ts'
import { inUsualOrder } from '../../../protocol/message.ts'
import { createRandomId } from '../../../random-id.ts'
import { anthropicMessages } from '../door.ts'

const tool = { name: 'read', input_schema: { type: 'object', properties: {} } }
const first = {
  model: 'm',
  max_tokens: 64,
  system: 'Be brief.',
  tools: [tool],
  messages: [{ role: 'user', content: 'Look.' }],
  thread: { type: 'create' },
}
const called: readonly Event[] = [
  { type: 'text-delta', text: 'I will.' },
  { type: 'call-start', index: 0, id: 'call_1', name: 'read' },
  { type: 'call-end', index: 0 },
  { type: 'usage', promptTokens: 1, completionTokens: 1 },
  { type: 'finish', reason: 'tool_calls' },
]

interface Told {
  readonly id: string
  readonly content: readonly { readonly id?: string }[]
}

test.each([true, false])('a conversation goes on from an answer that was kept (streaming: %s)', async (stream) => {
  const store = createTestStore()
  const context = createDoorContext({ store, createId: createRandomId })
  const exchange = await readAt(anthropicMessages, '/v1/messages', { ...first, stream }, context)
  let told: Told
  if (stream) {
    const printer = exchange.createStream()
    const wire = printer.open({ promptTokens: () => 1 }) + printer.push(0, called)
    expect(store.kept.size).toBe(0)
    told = checkStream(wire + (await printer.end())).message as unknown as Told
  } else told = JSON.parse(await exchange.printBody([called])) as Told
  const results = [{ type: 'tool_result', tool_use_id: told.content[1]?.id, content: 'done' }]
  const then = {
    model: 'm',
    max_tokens: 64,
    messages: [{ role: 'user', content: results }],
    thread: { type: 'continue', previous_message_id: told.id },
  }
  const { requests } = await readAt(anthropicMessages, '/v1/messages', then, context)
  const id = told.content[1]?.id
  expect(requests[0]?.notes).toBeUndefined()
  expect(requests[0]?.tools).toMatchObject([{ name: 'read' }])
  expect(requests[0]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: inUsualOrder({
        content: 'I will.',
        calls: [{ id: id ?? '', kind: 'function', name: 'read', arguments: '{}' }],
      }),
    },
    { role: 'tool', callId: id, content: 'done' },
  ])
})

test('a thread that is not kept is said to be missing', async () => {
  const then = { ...first, thread: { type: 'continue', previous_message_id: 'msg_gone' } }
  await expect(readAt(anthropicMessages, '/v1/messages', then)).rejects.toMatchObject({ code: 'thread_not_found' })
})

test('what was not asked to be kept is not', async () => {
  const store = createTestStore()
  const exchange = await readAt(anthropicMessages, '/v1/messages', { ...first, thread: undefined }, { store })
  await exchange.printBody([called])
  expect(store.kept.size).toBe(0)
})
