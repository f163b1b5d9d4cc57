import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anthropicMessages } from '../../src/doors/anthropic-messages/door.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { callsOf, type Message } from '../../src/protocol/message.ts'
import { createRandomId } from '../../src/random-id.ts'
import { checkMessage, checkStream } from './messages-checker.ts'
import { readAt } from './visit.ts'

const seed = 20_261_115
const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'Look.', '<tool_call>', '"\\'), fc.string({ maxLength: 8 }))

type Saying = (index: number) => readonly Event[]

/** What a model may say, by the law of events: nothing is said inside a call. */
const said = fc.oneof(
  words.map(
    (text): Saying =>
      () => [{ type: 'text-delta', text }],
  ),
  words.map(
    (text): Saying =>
      () => [{ type: 'reasoning-delta', text }],
  ),
  words.map(
    (text): Saying =>
      () => [{ type: 'refusal-delta', text }],
  ),
  fc.constant<Saying>(() => [{ type: 'note', kind: 'echo' }]),
  fc
    .tuple(fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue()), fc.nat(20), fc.constantFrom('end', 'cut', 'bad'))
    .map(([value, at, how]) => (index: number): readonly Event[] => {
      const json = JSON.stringify(value)
      const start: Event = { type: 'call-start', index, id: `call_${index}`, name: 'read' }
      const first: Event = { type: 'call-delta', index, json: json.slice(0, at) }
      if (how !== 'end')
        return [start, first, { type: 'call-error', index, raw: '', reason: how === 'cut' ? 'cut-off' : 'malformed' }]
      if (json === '{}') return [start, { type: 'call-end', index }]
      return [start, first, { type: 'call-delta', index, json: json.slice(at) }, { type: 'call-end', index }]
    }),
)
const answers = fc.tuple(
  fc.array(said, { maxLength: 8 }),
  fc.constantFrom('stop', 'length', 'content_filter'),
  fc.boolean(),
  fc.boolean(),
)

test('whatever a model says, the stream is sound, however it is cut, and adds up to the whole message', async () => {
  await fc.assert(
    fc.asyncProperty(answers, async ([parts, reason, thinks, isWhole]) => {
      const events = parts.flatMap((part, index) => part(index))
      const calls = events.some(({ type }) => type === 'call-end')
      const finish: Event = { type: 'finish', reason: calls && reason === 'stop' ? 'tool_calls' : (reason as 'stop') }
      const all: readonly Event[] = [...events, { type: 'usage', promptTokens: 5, completionTokens: 2 }, finish]
      const body = {
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'hi' }],
        ...(thinks && { thinking: { type: 'adaptive' } }),
      }
      const exchange = await readAt(anthropicMessages, '/v1/messages', body, { createId: createRandomId })
      const printer = exchange.createStream()
      const batches = isWhole ? [all] : all.map((event) => [event])
      const wire = printer.open({ promptTokens: () => 5 }) + batches.map((batch) => printer.push(0, batch)).join('')
      const { faults, message } = checkStream(wire + (await printer.end()))
      expect(faults).toEqual([])
      const whole = JSON.parse(await exchange.printBody([all]))
      expect(checkMessage(whole)).toEqual([])
      expect(message).toEqual(whole)
    }),
    { seed, numRuns: 500 },
  )
})

const id = fc.constantFrom('a', 'b', 'c', '')
const block = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('tool_use'),
      id,
      name: fc.constantFrom('read', 'x y', ''),
      input: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('tool_result'),
      tool_use_id: id,
      content: fc.oneof(words, fc.array(fc.record({ type: fc.constant('text'), text: words })), fc.jsonValue()),
      is_error: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('text'), text: words }) },
  fc.record({
    type: fc.constantFrom(
      'image',
      'document',
      'thinking',
      'redacted_thinking',
      'tool_reference',
      'tool_addition',
      'server_tool_use',
      'search_result',
      'novelty',
    ),
    source: fc.jsonValue(),
    title: fc.jsonValue(),
    content: fc.jsonValue(),
    tool: fc.jsonValue(),
    thinking: fc.jsonValue(),
    tool_name: fc.jsonValue(),
  }),
  fc.jsonValue(),
)
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system'),
  content: fc.oneof(words, fc.array(block, { maxLength: 5 })),
})

/** Where services would refuse a conversation. */
function faultsOf(messages: readonly Message[]): readonly string[] {
  const faults: string[] = []
  let open: string[] = []
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.includes(one.callId)) faults.push(`a result of no call: ${one.callId}`)
      open = open.filter((callId) => callId !== one.callId)
      continue
    }
    if (open.length > 0) faults.push(`${one.role} speaks before the results of ${open.join(', ')}`)
    open = callsOf(one).map((call) => call.id)
    if (new Set(open).size < open.length) faults.push('an id twice')
  }
  return open.length > 0 ? [...faults, 'calls at the end'] : faults
}

test('whatever a client sends, every call has its result next to it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
      const { requests } = await readAt(anthropicMessages, '/v1/messages', { model: 'm', max_tokens: 9, messages })
      expect(faultsOf(requests[0]?.messages ?? [])).toEqual([])
    }),
    { seed, numRuns: 1_000 },
  )
})

test('whatever a field holds, it is taken or refused by name', async () => {
  const fields = [
    'model',
    'max_tokens',
    'messages',
    'system',
    'tools',
    'tool_choice',
    'thinking',
    'output_config',
    'metadata',
    'stop_sequences',
    'temperature',
    'stream',
    'thread',
    'mcp_servers',
    'novelty',
  ]
  const sound = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fields), fc.jsonValue(), async (field, value) => {
      const body = { ...sound, [field]: value }
      const thrown = await readAt(anthropicMessages, '/v1/messages', body).catch((reason: unknown) => reason)
      if (!(thrown instanceof Error)) return
      expect(thrown).toBeInstanceOf(GatewayError)
      expect((thrown as GatewayError).param).toMatch(new RegExp(`^${field}`))
    }),
    { seed, numRuns: 2_000 },
  )
})
