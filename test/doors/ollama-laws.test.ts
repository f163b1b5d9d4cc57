import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ollama } from '../../src/doors/ollama/door.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { callsOf, type Message } from '../../src/protocol/message.ts'
import { checkBody, checkError, checkLines } from './ollama-checker.ts'
import { readAt } from './visit.ts'

const seed = 20_261_115
const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'Look.', '<tool_call>', '"\\'), fc.string({ maxLength: 8 }))

type Saying = (index: number) => readonly Event[]

const wordy = (type: 'text-delta' | 'reasoning-delta' | 'refusal-delta') =>
  words.map(
    (text): Saying =>
      () => [{ type, text }],
  )

/** What a model may say, by the law of events: nothing is said inside a call. */
const said = fc.oneof(
  wordy('text-delta'),
  wordy('reasoning-delta'),
  wordy('refusal-delta'),
  fc.constant<Saying>(() => [{ type: 'note', kind: 'echo' }]),
  fc.constant<Saying>(() => [{ type: 'logprobs', content: [{ token: 'a' }] }]),
  fc
    .tuple(
      fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue()),
      fc.nat(20),
      fc.constantFrom('end', 'cut', 'none'),
    )
    .map(([value, at, how]) => (index: number): readonly Event[] => {
      const json = JSON.stringify(value, undefined, at % 3)
      const start: Event = { type: 'call-start', index, id: `call_${index}`, name: 'read' }
      if (how === 'none') return [start, { type: 'call-end', index }]
      const first: Event = { type: 'call-delta', index, json: json.slice(0, at) }
      if (how === 'cut') return [start, first, { type: 'call-error', index, raw: json.slice(0, at), reason: 'cut-off' }]
      return [start, first, { type: 'call-delta', index, json: json.slice(at) }, { type: 'call-end', index }]
    }),
)

test('whatever a model says, the lines are sound, however it is cut, and add up to the whole answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { maxLength: 8 }),
      fc.constantFrom('stop' as const, 'length' as const),
      fc.boolean(),
      async (parts, reason, isWhole) => {
        const events = parts.flatMap((part, index) => part(index))
        const usage: Event = { type: 'usage', promptTokens: 5, completionTokens: 2 }
        const all: readonly Event[] = [...events, usage, { type: 'finish', reason }]
        const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
        const exchange = await readAt(ollama, '/api/chat', body)
        const printer = exchange.createStream()
        const batches = isWhole ? [all] : all.map((event) => [event])
        const opened = printer.open({ promptTokens: () => 5 })
        const wire = opened + batches.map((batch) => printer.push(0, batch)).join('') + (await printer.end())
        expect(checkLines(wire)).toEqual([])
        const text = await exchange.printBody([all])
        expect(checkBody(text)).toEqual([])
        const { message, logprobs = [], ...facts } = JSON.parse(text)
        const lines = wire
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
        expect(lines.map((line) => line.message.content).join('')).toBe(message.content)
        expect(lines.map((line) => line.message.thinking ?? '').join('')).toBe(message.thinking ?? '')
        expect(lines.flatMap((line) => line.message.tool_calls ?? [])).toEqual(message.tool_calls ?? [])
        expect(lines.flatMap((line) => line.logprobs ?? [])).toEqual(logprobs)
        expect(lines.at(-1)).toMatchObject(facts)
      },
    ),
    { seed, numRuns: 500 },
  )
})

const id = fc.constantFrom('a', 'b', '')
const name = fc.constantFrom('read', 'x y', '', 'fs.read')
const call = fc.record(
  {
    id,
    function: fc.record({ name, arguments: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()) }),
  },
  { requiredKeys: ['function'] },
)
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('system', 'User', 'developer', 'novelty'),
    content: fc.oneof(words, fc.jsonValue()),
  }),
  fc.record(
    { role: fc.constant('assistant'), content: words, thinking: words, tool_calls: fc.array(call, { maxLength: 3 }) },
    { requiredKeys: ['role'] },
  ),
  fc.record(
    { role: fc.constant('tool'), content: words, tool_call_id: id, tool_name: name, images: fc.array(words) },
    { requiredKeys: ['role'] },
  ),
)

/** Every call is answered before anybody else speaks, or is the last thing said; no result is without its call. */
function isSound(messages: readonly Message[]): boolean {
  const open = new Set<string>()
  for (const one of messages) {
    if (one.role === 'assistant') {
      for (const { id: called } of callsOf(one)) {
        if (open.has(called)) return false
        open.add(called)
      }
    } else if (one.role === 'tool') {
      if (!open.delete(one.callId)) return false
    } else if (one.role === 'user' && open.size > 0) return false
  }
  return true
}

test('whatever a client sends, it is not refused, and each result has its call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
      const { requests } = await readAt(ollama, '/api/chat', { model: 'm', messages })
      const [request] = requests
      if (request === undefined) throw new Error('nothing is asked')
      expect(isSound(request.messages), JSON.stringify(request.messages)).toBe(true)
    }),
    { seed, numRuns: 1000 },
  )
})

test('whatever else stands in a request, it is read, or refused with a 400 and a text', async () => {
  const keys = [
    ...['messages', 'tools', 'tool_choice', 'options', 'format', 'think', 'stream', 'keep_alive', 'logprobs'],
    ...['prompt', 'images', 'system', 'raw', 'context', 'novelty'],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/api/chat', '/api/generate'),
      fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
      async (path, fields) => {
        try {
          await readAt(ollama, path, { model: 'm', ...fields })
        } catch (thrown) {
          if (!(thrown instanceof GatewayError)) throw thrown
          const { status, body } = ollama.printError(thrown, 'req_1')
          expect([status, checkError(status, body)]).toEqual([400, []])
        }
      },
    ),
    { seed, numRuns: 1000 },
  )
})
