import { expect, test } from 'vitest'
import { scripts } from '../../bench/gateway/answers.ts'
import { bodyOf } from '../../bench/gateway/requests.ts'
import { leastOfEach } from '../../bench/measure.ts'
import { findDialect } from '../../src/dialects/registry.ts'
import { createChunks } from '../../src/doors/openai-chat/answer/chunks.ts'
import { readRequest } from '../../src/doors/openai-chat/request/request.ts'
import { createAnswer } from '../../src/turn/answer/answer.ts'
import { prepare } from '../../src/turn/prompt/prepare.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { AnswerReader } from '../../src/upstreams/openai/answer.ts'
import { toOpenAiBody } from '../../src/upstreams/openai/body.ts'
import type { Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'

/**
 * The short form of `npm run bench -- gateway`: what an answer costs beside parsing and printing the same text, in this
 * process. The bounds are some twice of what was measured, so a slip of that size fails, and anything quadratic does.
 */
const upstream: Upstream = {
  name: 'speed',
  kind: 'speed',
  async *chat() {
    yield []
  },
  models: async () => [],
  probe: async () => ({ nativeTools: 'no' }),
  close: async () => undefined,
}
const dialect = findDialect('hermes')
const settings = defaultSettings('speed', ['speed'])
const approach = { mode: 'prompt' as const, settings, upstream, ...(dialect && { dialect }) }
const identity = { id: 'chatcmpl-1', created: 1, model: 'speed' }
const manner = {
  includeUsage: false,
  legacyFunctions: false,
  customTools: new Set<string>(),
  quirks: { callIdField: false },
}
/** Events that arrive in one read. */
const together = 64
let ids = 0
let printed = 0

/** The payload of each event, out of its HTTP chunk. */
function payloadsOf(name: string): readonly Buffer[] {
  return (scripts[name]?.events ?? []).map((chunk) => chunk.subarray(chunk.indexOf('\n') + 1, chunk.length - 2))
}

const body = bodyOf({ model: 'speed', stream: true })
const { request } = readRequest(JSON.parse(body))
const prepared = prepare(request, approach)

function answer(payloads: readonly Buffer[]): void {
  const reader = new AnswerReader('speed', () => {
    throw new Error('refused')
  })
  const heard = createAnswer(request, approach, prepared, () => `call_${ids++}`)
  const chunks = createChunks(identity, 1, manner)
  for (let at = 0; at < payloads.length; at += together) {
    const events: UpstreamEvent[] = []
    for (const payload of payloads.slice(at, at + together)) reader.push(payload, events)
    printed += chunks.push(0, heard.take(events)).length
  }
  const last: UpstreamEvent[] = []
  reader.end(last)
  printed += chunks.push(0, [...heard.take(last), ...heard.end()]).length
}

function parseAndPrint(payloads: readonly Buffer[]): void {
  for (const payload of payloads) {
    const text = payload.toString().slice('data: '.length)
    if (!text.startsWith('[DONE]')) printed += JSON.stringify(JSON.parse(text)).length
  }
}

function ratioOf(run: () => void, base: () => void, repeats: number): number {
  const often = (job: () => void) => () => {
    for (let count = 0; count < repeats; count++) job()
  }
  leastOfEach(3, [often(run), often(base)])
  const [own = 0, other = 1] = leastOfEach(7, [often(run), often(base)])
  return own / other
}

test.each([
  ['with a call in its text', 'text-calls', 2],
  ['with one long argument', 'long-argument', 1],
])('an answer %s costs little beside parsing and printing its events', (_, name, bound) => {
  const payloads = payloadsOf(name)
  const ratio = ratioOf(
    () => answer(payloads),
    () => parseAndPrint(payloads),
    payloads.length > 1000 ? 1 : 20,
  )
  expect(printed).toBeGreaterThan(0)
  expect(ratio).toBeLessThan(bound)
})

test('four times the answer takes little more than four times as long', () => {
  const payloads = payloadsOf('long-argument')
  const middle = payloads.slice(40, 4040)
  const shortOne = [...payloads.slice(0, 40), ...middle]
  const longOne = [...shortOne, ...middle, ...middle, ...middle]
  const take = (list: readonly Buffer[]) => () => {
    const reader = new AnswerReader('speed', () => {
      throw new Error('refused')
    })
    const heard = createAnswer(request, approach, prepared, () => `call_${ids++}`)
    const events: UpstreamEvent[] = []
    for (const payload of list) {
      events.length = 0
      reader.push(payload, events)
      printed += heard.take(events).length
    }
  }
  expect(middle).toHaveLength(4000)
  expect(ratioOf(take(longOne), take(shortOne), 1)).toBeLessThan(8)
})

test('turn 40 of a conversation that was met before costs little beside parsing and printing its request', () => {
  const long = bodyOf({ model: 'speed', stream: true, turns: 40, salt: 'guard' })
  const ratio = ratioOf(
    () => {
      const { request: asked } = readRequest(JSON.parse(long))
      printed += JSON.stringify(toOpenAiBody(prepare(asked, approach).request)).length
    },
    () => {
      printed += JSON.stringify(JSON.parse(long)).length
    },
    20,
  )
  expect(ratio).toBeLessThan(10)
})
