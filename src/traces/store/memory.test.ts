import { expect, test } from 'vitest'
import type { Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { Asking } from '../../turn/observer.ts'
import { Recording } from '../recording/recording.ts'
import { toExchange, toSummary } from '../view/exchange-view.ts'
import { keep, recall } from './memory.ts'

const encoder = new TextEncoder()
const secret = 'sk-abcdefghijklmnopqrstuvwxyz0123456789'

const asking: Asking = {
  plan: { mode: 'native', upstream: 'local', model: 'm' },
  rung: 'plain',
  look: ({ request, corrected }) => ({
    request: corrected ?? { ...request, prefill: 'I ' },
    taught: 'Tools:',
    reread: ({ text }) => ({ spans: [{ kind: 'text', from: 0, to: text.length }] }),
  }),
}

const tools = [{ kind: 'function', name: 'run', parameters: { type: 'object' } }] as const
const system: Message = { role: 'system', content: 'Be größer.' }
const asked: Request = {
  model: 'm',
  messages: [
    system,
    { role: 'user', content: [{ type: 'text', text: `Say\n  "hello" \u2028 ${secret}` }] },
    {
      role: 'assistant',
      content: [{ type: 'call', call: { id: 'c', kind: 'function', name: 'run', arguments: '{"a": 1}' } }],
    },
    { role: 'tool', callId: 'c', content: 'done' },
  ],
  tools,
  sampling: { temperature: 0.5 },
  extra: { odd: [1, null] },
}

function begin(id = 'x1', at = 5): Recording {
  return new Recording(
    {
      id,
      requestId: `req_${id}`,
      at,
      client: 'test',
      door: 'chat',
      method: 'POST',
      path: '/v1/chat/completions',
      url: '/v1/chat/completions',
      headers: [{ name: 'host', value: 'here' }],
      secrets: [secret],
    },
    {
      now: () => at + 7,
      hasBodies: true,
      mostLength: 1_000_000,
      conversationOf: () => 'conv',
      onChange: () => undefined,
      onEnd: () => undefined,
    },
  )
}

const over = { state: 'done', status: 200, calls: 1, notes: ['repair'], changes: [], totalMs: 9 } as const

function recordEverything(): Recording {
  const recording = begin()
  recording.receive(encoder.encode(`{"messages":[{"role":"system","content":"${'größer '.repeat(20)}"}]}`))
  recording.read({ model: 'm', streaming: true, requests: [asked] })
  const first = recording.observer(0).ask(asking, { request: asked })
  first.sent?.(encoder.encode('{"model":"m"}'))
  first.said([
    { type: 'reasoning', text: 'Hm. 🙂' },
    { type: 'text', text: 'Let me see' },
    { type: 'call', index: 0, id: 'a', name: 'run', json: '{"a":' },
    { type: 'call', index: 0, json: ' 2}' },
    { type: 'finish', reason: 'tool_calls' },
  ])
  const corrected = {
    ...asked,
    clientKey: secret,
    messages: [...asked.messages, { role: 'user', content: 'No.' } as const],
  }
  const second = recording.observer(0).ask(asking, { request: asked, corrected })
  second.sent?.('{"again":"text"}')
  second.ended(new Error('away'))
  recording.start(asking.plan)
  recording.answer('text/event-stream')
  recording.observe(0, [
    { type: 'reasoning-delta', text: 'Hm. 🙂' },
    { type: 'text-delta', text: 'Let me see' },
    { type: 'call-start', index: 0, id: 'call_1', name: 'run' },
    { type: 'call-delta', index: 0, json: '{"a": 2}' },
    { type: 'call-end', index: 0 },
    { type: 'note', kind: 'repair', detail: 'It was wrong.' },
    { type: 'usage', promptTokens: 1, completionTokens: 2 },
    { type: 'finish', reason: 'tool_calls' },
  ])
  recording.write('data: {"größe": 1}\n\n')
  recording.write('data: [DONE]\n\n')
  recording.end({ ...over, firstByteMs: 7 })
  return recording
}

test('what was put away is told as it was before', () => {
  const recording = recordEverything()
  const kept = keep(recording)
  expect(toExchange(recall(kept))).toEqual(JSON.parse(JSON.stringify(toExchange(recording))))
  expect(kept.summary).toEqual(toSummary(recording))
})

test('the objects of a request are not kept, nor the key it came with', () => {
  const { bytes, ...rest } = keep(recordEverything())
  expect(JSON.stringify(rest.askings)).not.toContain('größer')
  expect(bytes.toString()).toContain('größer')
  expect(bytes.toString()).not.toContain('clientKey')
})

test('of a body that is very long the beginning is kept, and how long it was', () => {
  const recording = begin()
  recording.receive(new Uint8Array(2_000_000).fill(0x61))
  recording.read({ model: 'm', streaming: false, requests: [asked] })
  recording.observer(0).ask(asking, { request: asked })
  recording.end(over)
  const told = toExchange(recall(keep(recording)))
  expect(told.asked.body).toMatchObject({ length: 2_000_000, isTruncated: true })
  expect(told.asked.body?.text).toHaveLength(1_000_000)
  expect(told.attempts[0]?.sent.messages).toHaveLength(4)
})
