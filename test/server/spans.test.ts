import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { done, head, wholeAnswer } from '../faults/answer.ts'
import { type Step, startService } from '../faults/service.ts'
import { startInProcess } from './in-process.ts'

const clientKey = 'sk-client-NEVER-to-be-traced-123456'
const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

let service: Awaited<ReturnType<typeof startService>>
let gateway: Awaited<ReturnType<typeof startInProcess>>

beforeEach(async () => {
  service = await startService(
    new Map<string, readonly Step[]>([
      ['good', [head, wholeAnswer('native'), done, 'END']],
      ['broken', ['HTTP/1.1 500 Oops\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}', 'END']],
    ]),
  )
  const upstream = { kind: 'openai', url: service.url, key: 'sk-upstream-NEVER-to-be-traced-1' }
  gateway = await startInProcess({
    keys: [{ name: 'alice', key: clientKey }],
    upstreams: { first: upstream, second: upstream },
    models: { good: { upstream: 'first' }, broken: { upstream: ['first', 'second'] } },
  })
})

afterEach(async () => {
  await gateway.close()
  await service.close()
})

async function ask(model: string, headers: Record<string, string> = {}, more: object = {}) {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${clientKey}`, ...headers },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'words NEVER to be traced' }], ...more }),
  })
  await response.text()
  return response.status
}

const sentOn = (nth = 0) => service.contacts[nth]?.headers

describe('without an SDK', () => {
  test('a trace goes through unchanged, and a bad one does not', async () => {
    expect(trace.getTracer('any').startSpan('any').isRecording()).toBe(false)
    await ask('good', { traceparent: parent, tracestate: 'a=1' })
    expect(sentOn()).toMatchObject({ traceparent: parent, tracestate: 'a=1' })
    await ask('good', { traceparent: 'anything' })
    expect(sentOn(1)).not.toHaveProperty('traceparent')
  })
})

describe('with the SDK', () => {
  const exporter = new InMemorySpanExporter()
  beforeAll(() => new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register())
  beforeEach(() => exporter.reset())

  const spans = () =>
    exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      kind: span.kind,
      attributes: span.attributes,
      status: span.status.code,
      parent: span.parentSpanContext?.spanId,
      id: span.spanContext().spanId,
      trace: span.spanContext().traceId,
    }))

  test('an exchange is a span, and so is the service that was asked; the trace goes on to it', async () => {
    expect(await ask('good', { traceparent: parent, 'x-request-id': 'one' }, { temperature: 0.5, max_tokens: 9 })).toBe(
      200,
    )
    await expect.poll(() => spans().length).toBe(2)
    const [attempt, exchange] = spans()
    expect(exchange).toMatchObject({
      name: 'POST /v1/chat/completions',
      kind: 1,
      parent: 'b7ad6b7169203331',
      trace: '0af7651916cd43dd8448eb211c80319c',
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'first',
        'gen_ai.request.model': 'good',
        'gen_ai.request.stream': false,
        'gen_ai.usage.input_tokens': expect.any(Number),
        'dragoman.request_id': 'one',
        'dragoman.key': 'alice',
        'dragoman.door': 'chat',
      },
    })
    expect(attempt).toMatchObject({
      name: 'chat good',
      kind: 2,
      parent: exchange?.id,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'first',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 9,
        'gen_ai.response.finish_reasons': ['tool_calls'],
      },
    })
    expect(sentOn()).toHaveProperty('traceparent', `00-${exchange?.trace}-${attempt?.id}-01`)
    expect(JSON.stringify(spans())).not.toContain('NEVER')
  })

  test('every service that was asked in vain is a span of its own, with the cause', async () => {
    expect(await ask('broken')).toBe(502)
    await expect.poll(() => spans().filter(({ kind }) => kind === 1).length).toBe(1)
    const all = spans()
    const attempts = all.filter(({ kind }) => kind === 2)
    expect(attempts.map(({ attributes }) => attributes['gen_ai.provider.name'])).toEqual(
      expect.arrayContaining(['first', 'second']),
    )
    for (const { attributes, status } of attempts)
      expect([attributes['error.type'], status]).toEqual(['upstream_error', 2])
    expect(all.find(({ kind }) => kind === 1)).toMatchObject({
      status: 2,
      attributes: { 'error.type': 'upstream_error', 'http.response.status_code': 502 },
    })
  })

  test('a refused request is a span too', async () => {
    await ask('good', { authorization: 'Bearer sk-wrong-NEVER-123456789' })
    await expect.poll(() => spans().length).toBe(1)
    expect(spans()[0]?.attributes).toMatchObject({ 'http.response.status_code': 401, 'error.type': 'invalid_api_key' })
    expect(JSON.stringify(spans())).not.toContain('NEVER')
  })
})
