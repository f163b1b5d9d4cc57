import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lasting } from '../../protocol/memory/lasting.ts'
import type { SharedBytes } from '../../protocol/memory/shared-bytes.ts'
import type { Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { Asking } from '../../turn/witness.ts'
import { Recording } from '../recording/recording.ts'
import { toExchange, toSummary } from '../telling/tell.ts'
import { createArena, type Place } from './arena.ts'
import { keep, recall } from './kept.ts'
import { createMemoryStore } from './memory.ts'

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
const system: Message = lasting({ role: 'system', content: 'Be größer.' })
const asked: Request = {
  model: 'm',
  messages: [
    system,
    { role: 'user', content: [{ type: 'text', text: `Say\n  "hello" \u2028 ${secret}` }] },
    lasting({
      role: 'assistant',
      content: [{ type: 'call', call: { id: 'c', kind: 'function', name: 'run', arguments: '{"a": 1}' } }],
    } as const),
    lasting({ role: 'tool', callId: 'c', content: 'done' } as const),
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
  const part: SharedBytes = { bytes: encoder.encode(`{"role":"system","content":"${'größer '.repeat(20)}"}`), users: 0 }
  recording.receive([encoder.encode('{"messages":['), part, encoder.encode(','), part, encoder.encode(']}')])
  recording.read({ model: 'm', streaming: true, requests: [asked] })
  const first = recording.witness(0).ask(asking, { request: asked })
  first.sent([encoder.encode('{"model":"m"}')])
  first.hear([
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
  const second = recording.witness(0).ask(asking, { request: asked, corrected })
  second.sent('{"again":"text"}')
  second.fail(new Error('away'))
  recording.start(asking.plan)
  recording.answer('text/event-stream')
  recording.hear(0, [
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
  const kept = keep(recording, createArena())
  expect(toExchange(recall(kept, 'all'))).toEqual(JSON.parse(JSON.stringify(toExchange(recording))))
  expect(toSummary(recall(kept, 'facts'))).toEqual(JSON.parse(JSON.stringify(toSummary(recording))))
})

test('the objects of a request are not kept, nor the key it came with', () => {
  const { shared: _, told: _told, place, ...rest } = keep(recordEverything(), createArena())
  expect(JSON.stringify(rest.askings)).not.toContain('größer')
  expect(rest.large).toEqual([])
  const text = new TextDecoder().decode(place.block.bytes)
  expect(text).not.toContain('clientKey')
})

test('a request that is very long stays what it is, and counts', () => {
  const recording = begin()
  recording.receive([new Uint8Array(2_000_000).fill(0x61)])
  recording.read({ model: 'm', streaming: false, requests: [asked] })
  recording.witness(0).ask(asking, { request: asked })
  recording.end(over)
  const kept = keep(recording, createArena())
  expect(kept).toMatchObject({ large: [asked], largeBytes: 2_000_000 })
  const told = toExchange(recall(kept, 'all'))
  expect(told.asked.body).toMatchObject({ length: 2_000_000, isTruncated: true })
  expect(told.asked.body?.text).toHaveLength(1_000_000)
  expect(told.attempts[0]?.sent.messages).toHaveLength(4)
})

describe('a conversation', () => {
  const words = 'words '.repeat(1000)
  const turns = 40
  const messages = Array.from(
    { length: turns },
    (_, nth): Message => lasting({ role: 'user', content: `${nth} ${words}` }),
  )
  const parts = messages.map((message): SharedBytes => ({ bytes: encoder.encode(JSON.stringify(message)), users: 0 }))

  function tell(nth: number): Recording {
    const recording = begin(`x${String(nth).padStart(3, '0')}`, nth)
    const request = { ...asked, messages: messages.slice(0, nth) }
    recording.receive(parts.slice(0, nth))
    recording.read({ model: 'm', streaming: false, requests: [request] })
    recording.witness(0).ask(asking, { request }).sent(parts.slice(0, nth))
    recording.end(over)
    return recording
  }

  test('is kept once, however often it is told', () => {
    // Two copies of each message, one as it was sent and one as it was read; all turns by themselves would take ten times that.
    const store = createMemoryStore(
      () => ({ entries: 100, bytes: 2.5 * turns * words.length }),
      () => 0,
    )
    for (let nth = 1; nth <= turns; nth++) store.add(tell(nth))
    expect(store.count).toBe(turns)
    expect(store.find('x020')?.exchange.attempts[0]?.sent.messages).toHaveLength(20)
    expect(store.find('x020')?.exchange.asked.body?.text).toBe(
      messages
        .slice(0, 20)
        .map((message) => JSON.stringify(message))
        .join(''),
    )
  })

  test('that has gone is held by nobody', () => {
    let entries = 100
    const store = createMemoryStore(
      () => ({ entries, bytes: 100_000_000 }),
      () => 0,
    )
    for (const { users } of parts) expect(users).toBeLessThanOrEqual(2 * turns)
    const before = parts.map(({ users }) => users)
    for (let nth = 1; nth <= turns; nth++) store.add(tell(nth))
    expect(parts[0]?.users).toBe((before[0] ?? 0) + 2 * turns)
    entries = 0
    expect(store.count).toBe(0)
    expect(parts.map(({ users }) => users)).toEqual(before)
  })
})

test('memory that is used again gives back what was written last, whatever was given back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(400_000), fc.constantFrom('a', 'ü', '語', '🙂'), fc.nat(5)), { maxLength: 40 }),
      (writes) => {
        const arena = createArena()
        const live: { readonly place: Place; readonly text: string }[] = []
        for (const [length, letter, keeps] of writes) {
          const text = letter.repeat(Math.floor(length / letter.length))
          const place = arena.write(text, [encoder.encode('tail'), encoder.encode('s')])
          live.push({ place, text })
          while (live.length > keeps) {
            const gone = live.shift()
            if (gone !== undefined) arena.free(gone.place)
          }
          for (const { place: at, text: written } of live) {
            const { bytes } = at.block
            expect(new TextDecoder().decode(bytes.subarray(at.from, at.middle)) === written).toBe(true)
            expect(new TextDecoder().decode(bytes.subarray(at.middle, at.to))).toBe('tails')
          }
        }
      },
    ),
    { numRuns: 30 },
  )
})
