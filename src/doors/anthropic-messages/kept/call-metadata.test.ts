import { expect, test } from 'vitest'
import { checkMessage, checkStream } from '../../../../test/doors/messages-checker.ts'
import { createDoorContext, createTestStore, readAt } from '../../../../test/doors/visit.ts'
import type { Event } from '../../../protocol/event.ts'
import { callsOf, metadataOf } from '../../../protocol/message.ts'
import { createRandomId } from '../../../random-id.ts'
import { anthropicMessages } from '../door.ts'

const body = { model: 'm', max_tokens: 64, messages: [{ role: 'user', content: 'Look.' }] }
const details = { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }
const signed = { extra_content: { google: { thought_signature: 's' } } }
const events: readonly Event[] = [
  { type: 'provider-metadata', fields: details },
  { type: 'call-start', index: 0, id: 'call_1', name: 'read', metadata: signed },
  { type: 'call-end', index: 0 },
  { type: 'call-start', index: 1, id: 'call_2', name: 'read' },
  { type: 'provider-metadata', index: 1, fields: { thought_signature: 'late' } },
  { type: 'call-end', index: 1 },
  { type: 'usage', promptTokens: 1, completionTokens: 1 },
  { type: 'finish', reason: 'tool_calls' },
]

test.each([true, false])('what a service wants back with its calls comes back (streaming: %s)', async (stream) => {
  const store = createTestStore()
  const context = createDoorContext({ store, createId: createRandomId })
  const exchange = await readAt(anthropicMessages, '/v1/messages', body, context)
  let content: unknown
  if (stream) {
    const printer = exchange.createStream()
    const wire = printer.open({ promptTokens: () => 1 }) + printer.push(0, events) + (await printer.end())
    const { faults, message } = checkStream(wire)
    expect(faults).toEqual([])
    content = message?.['content']
  } else {
    const message = JSON.parse(await exchange.printBody([events])) as { content: unknown }
    expect(checkMessage(message)).toEqual([])
    content = message.content
  }
  const results = (content as readonly { id: string }[]).map(({ id }) => ({ type: 'tool_result', tool_use_id: id }))
  const messages = [...body.messages, { role: 'assistant', content }, { role: 'user', content: results }]
  const { requests } = await readAt(anthropicMessages, '/v1/messages', { ...body, messages }, context)
  const asked = requests[0]?.messages[1] ?? { role: 'assistant', content: '' }
  expect(metadataOf(asked)).toEqual(details)
  expect(callsOf(asked)).toMatchObject([{ metadata: signed }, { metadata: { thought_signature: 'late' } }])
})

test('where nothing is wanted back, nothing is kept and nothing is looked for', async () => {
  const store = { ...createTestStore(), get: () => Promise.reject(new Error('it was asked')) }
  const context = createDoorContext({ store, createId: (prefix) => `${prefix}aaaaaaaaaaaaaaaaaaaaaaaa` })
  const exchange = await readAt(anthropicMessages, '/v1/messages', body, context)
  const plain = events
    .filter(({ type }) => type !== 'provider-metadata')
    .map((event) => ({ ...event, metadata: undefined }) as unknown as Event)
  const { content } = JSON.parse(await exchange.printBody([plain])) as { content: unknown }
  expect(store.kept.size).toBe(0)
  const messages = [...body.messages, { role: 'assistant', content }]
  await readAt(anthropicMessages, '/v1/messages', { ...body, messages }, context)
})
