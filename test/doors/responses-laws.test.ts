import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openaiResponses } from '../../src/doors/openai-responses/door.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Event, FinishReason } from '../../src/protocol/event.ts'
import { callsOf } from '../../src/protocol/message.ts'
import { checkBody, checkStream } from './responses-checker.ts'
import { readAt } from './visit.ts'

/** Whatever a model says, and whatever a client sends. */

const tools = [
  { type: 'function', name: 'look' },
  { type: 'custom', name: 'patch' },
  { type: 'tool_search' },
  { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'make' }] },
]
const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'Hi.', '"', '```', '😀'), fc.string({ maxLength: 8 }))
const name = fc.constantFrom('look', 'patch', 'tool_search', 'ns__make', 'make', 'nobody')
const args = fc.oneof(
  fc.constantFrom(
    '{}',
    '{"input":"x\\ny"}',
    '{"input":"```\\na\\n```"}',
    '{"query":"q"}',
    '{"input":"\\ud83d\\ude00"}',
  ),
  fc.string().map((input) => JSON.stringify({ input })),
)

type Saying = (index: number) => readonly Event[]

const text = fc.record({ type: fc.constantFrom('text-delta', 'reasoning-delta', 'refusal-delta'), text: words }).map(
  (event): Saying =>
    () => [event as Event],
)
const aside = fc
  .constantFrom<Event>(
    { type: 'note', kind: 'id_added' },
    { type: 'logprobs', content: [{ token: 'a' }] },
    { type: 'provider-metadata', fields: { a: 1 } },
  )
  .map(
    (event): Saying =>
      () => [event],
  )
const call = fc.record({ name, args, at: fc.nat(30), isWhole: fc.boolean() }).map(
  ({ name: called, args: json, at, isWhole }): Saying =>
    (index) => {
      const start: Event = { type: 'call-start', index, id: `call_${index}`, name: called }
      const pieces = isWhole ? [json.slice(0, at), json.slice(at)] : [json.slice(0, Math.min(at, json.length - 1))]
      const said = pieces.map((piece): Event => ({ type: 'call-delta', index, json: piece }))
      const end: Event = isWhole
        ? { type: 'call-end', index }
        : { type: 'call-error', index, raw: `<${json}`, reason: 'x' }
      return [start, ...said, end]
    },
)

const answers = fc
  .record({
    said: fc.array(fc.oneof(text, call, aside), { maxLength: 8 }),
    reason: fc.constantFrom<FinishReason>('stop', 'tool_calls', 'length', 'content_filter'),
  })
  .map(({ said, reason }): readonly Event[] => [
    ...said.flatMap((saying, index) => saying(index)),
    { type: 'usage', promptTokens: 1, completionTokens: 2 },
    { type: 'finish', reason },
  ])

const withoutIds = (response: object): unknown =>
  JSON.parse(JSON.stringify(response, (key, value) => (key === 'id' ? undefined : value)))

test('whatever a model says is a sound stream, the same whole, and closes exactly the whole calls', async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.array(fc.nat(3), { maxLength: 30 }), async (events, cuts) => {
      const body = { model: 'm', input: 'Go.', tools, include: ['reasoning.encrypted_content'] }
      const printer = (await readAt(openaiResponses, '/v1/responses', body)).createStream()
      let streamed = ''
      let from = 0
      for (const size of cuts) {
        streamed += printer.push(0, events.slice(from, from + size))
        from += size
      }
      streamed += printer.push(0, events.slice(from))
      streamed += await printer.end()
      const last = checkStream(streamed)
      const whole = JSON.parse(await (await readAt(openaiResponses, '/v1/responses', body)).printBody([events]))
      checkBody(whole)
      expect(withoutIds(whole)).toEqual(withoutIds(last))
      const made = events.flatMap((event) => (event.type === 'call-end' ? [`call_${event.index}`] : []))
      const closed = (last['output'] as Record<string, unknown>[]).flatMap(({ call_id: id, status }) =>
        id !== undefined && status === 'completed' ? [id] : [],
      )
      expect(closed).toEqual(made)
    }),
    { numRuns: 300 },
  )
})

test('a failure at any place leaves a sound stream', async () => {
  await fc.assert(
    fc.asyncProperty(answers, fc.nat(30), async (events, at) => {
      const body = { model: 'm', input: 'Go.', tools }
      const printer = (await readAt(openaiResponses, '/v1/responses', body)).createStream()
      const begun = printer.push(0, events.slice(0, Math.min(at, events.length - 1)))
      expect(checkStream(begun + printer.fail(new GatewayError('upstream_error', 'Gone.')))['status']).toBe('failed')
    }),
    { numRuns: 200 },
  )
})

const types = [
  ...['message', 'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  ...['tool_search_call', 'tool_search_output', 'reasoning', 'compaction', 'additional_tools', 'web_search_call'],
]
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    1,
    '',
    'x',
    '{}',
    [],
    {},
    [{ type: 'input_text', text: 'x' }],
    [{ type: 'namespace' }],
  ),
  fc.jsonValue({ maxDepth: 2 }),
)
/** Mostly as it should be. */
const rarely = (sound: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 14, arbitrary: sound }, { weight: 1, arbitrary: anything })
const nothing = fc.constant(undefined)
const item = fc.record({
  type: fc.constantFrom(...types),
  role: fc.constantFrom('user', 'assistant', 'developer'),
  content: rarely(
    fc.constantFrom(
      null,
      'x',
      [],
      [
        { type: 'input_text', text: 'x' },
        { type: 'input_image', image_url: 'u' },
      ],
    ),
  ),
  call_id: fc.constantFrom('a', 'b', 'c', '', null),
  name: fc.constantFrom('look', 'patch', 'make', '', null),
  namespace: fc.constantFrom('ns', null),
  arguments: rarely(fc.constantFrom('{}', '{"a":', { a: 1 }, null, '')),
  input: anything,
  output: rarely(fc.constantFrom('x', '', null, { a: 1 }, [{ type: 'input_image', image_url: 'u' }])),
  summary: anything,
  encrypted_content: anything,
  tools: rarely(fc.constantFrom(tools, null, [])),
})
const bodies = fc.record({
  input: rarely(fc.array(item, { maxLength: 8 })),
  tools: rarely(fc.constantFrom(tools, undefined, [])),
  tool_choice: rarely(fc.constantFrom('auto', undefined, null, { type: 'allowed_tools', tools: [tools[0]] })),
  text: rarely(nothing),
  reasoning: rarely(nothing),
  include: rarely(nothing),
  instructions: rarely(nothing),
  metadata: anything,
  max_output_tokens: rarely(nothing),
  previous_response_id: rarely(nothing),
})

test('whatever a client sends is read, or refused with the field at fault', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      try {
        const exchange = await readAt(openaiResponses, '/v1/responses', { model: 'm', ...body })
        const printer = exchange.createStream()
        printer.push(0, [{ type: 'text-delta', text: 'x' }])
        accepted++
        const open = new Set<string>()
        for (const message of exchange.requests[0]?.messages ?? []) {
          for (const { id } of callsOf(message)) open.add(id)
          if (message.role === 'tool') expect(open.delete(message.callId)).toBe(true)
          if (message.role === 'user') expect(open.size).toBe(0)
        }
        expect(open.size).toBe(0)
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        expect(thrown.status).toBeLessThan(500)
      }
    }),
    { numRuns: 1500 },
  )
  expect(accepted).toBeGreaterThan(300)
})
