import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startOtlp } from '../../src/server/telemetry/otlp.ts'
import { done, head, wholeAnswer } from '../faults/answer.ts'
import { type Step, startService } from '../faults/service.ts'
import { startInProcess } from './in-process.ts'
import { createManualClock } from './scripted.ts'

interface Sent {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly resourceSpans: readonly {
      readonly resource: object
      readonly scopeSpans: readonly { readonly scope: object; readonly spans: readonly Record<string, unknown>[] }[]
    }[]
  }
}

/** A collector: it keeps what it is sent, and answers with a status that can be changed. */
async function startCollector() {
  const sent: Sent[] = []
  const collector = { sent, url: '', status: 200 }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    if (collector.status === 200) sent.push({ path: request.url, headers: request.headers, body: JSON.parse(text) })
    response.writeHead(collector.status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return collector
}

const spansOf = (sent: readonly Sent[]) =>
  sent.flatMap(({ body }) => body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))

describe('a gateway with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let service: Awaited<ReturnType<typeof startService>>
  beforeEach(async () => {
    service = await startService(
      new Map<string, readonly Step[]>([
        ['good', [head, wholeAnswer('native'), done, 'END']],
        ['broken', ['HTTP/1.1 500 Oops\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}', 'END']],
      ]),
    )
  })
  afterEach(() => service.close())

  async function exchange(model: string, headers: Record<string, string> = {}) {
    const collector = await startCollector()
    const gateway = await startInProcess(
      { upstreams: { first: { kind: 'openai', url: service.url } }, models: { [model]: {} } },
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
        OTEL_SERVICE_NAME: 'gateway',
      },
    )
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, temperature: 0.5, messages: [{ role: 'user', content: 'NEVER' }] }),
    })
    await response.text()
    await gateway.close()
    return { sent: collector.sent, sentOn: service.contacts[0]?.headers }
  }

  test('the spans of an exchange arrive when it stops, in one batch', async () => {
    const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const { sent, sentOn } = await exchange('good', { traceparent: parent, tracestate: 'a=1' })
    expect(sent).toMatchObject([
      {
        path: '/v1/traces',
        headers: { 'content-type': 'application/json', 'x-tenant': 'a b' },
        body: {
          resourceSpans: [
            {
              resource: { attributes: [{ key: 'service.name', value: { stringValue: 'gateway' } }] },
              scopeSpans: [{}],
            },
          ],
        },
      },
    ])
    const [attempt, request] = spansOf(sent)
    expect(request).toMatchObject({
      name: 'POST /v1/chat/completions',
      kind: 2,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      traceState: 'a=1',
      status: { code: 0 },
      attributes: expect.arrayContaining([
        { key: 'http.response.status_code', value: { intValue: '200' } },
        { key: 'gen_ai.request.stream', value: { boolValue: false } },
        { key: 'dragoman.door', value: { stringValue: 'chat' } },
      ]),
    })
    expect(attempt).toMatchObject({
      name: 'chat good',
      kind: 3,
      parentSpanId: request?.['spanId'],
      attributes: expect.arrayContaining([
        { key: 'gen_ai.request.temperature', value: { doubleValue: 0.5 } },
        { key: 'gen_ai.response.finish_reasons', value: { arrayValue: { values: [{ stringValue: 'tool_calls' }] } } },
      ]),
    })
    expect(BigInt(String(request?.['endTimeUnixNano']))).toBeGreaterThan(BigInt(String(request?.['startTimeUnixNano'])))
    expect(sentOn).toMatchObject({
      traceparent: `00-${request?.['traceId']}-${attempt?.['spanId']}-01`,
      tracestate: 'a=1',
    })
    expect(JSON.stringify(sent)).not.toContain('NEVER')
  })

  test('a failure has status and cause', async () => {
    const { sent } = await exchange('broken')
    for (const span of spansOf(sent)) expect(span).toMatchObject({ status: { code: 2 } })
    expect(spansOf(sent)).toHaveLength(2)
  })

  test('a trace that its client does not keep is passed on and not sent', async () => {
    const { sent, sentOn } = await exchange('good', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    })
    expect(sent).toEqual([])
    expect(sentOn).toHaveProperty('traceparent', expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-.*-00$/))
  })
})

describe('a collector that is not there', () => {
  async function exporting() {
    const collector = await startCollector()
    const clock = createManualClock()
    const told: unknown[] = []
    const otlp = startOtlp(
      { url: collector.url, headers: {}, resource: {} },
      { clock, version: '1', onChange: (...change) => told.push(change) },
    )
    onTestFinished(() => otlp?.close())
    const say = (name: string) => trace.getTracer('any').startSpan(name, {}, ROOT_CONTEXT).end()
    const names = () => spansOf(collector.sent).map(({ name }) => name)
    return { collector, clock, told, otlp, say, names }
  }

  test('for as long as it says so, spans wait for it', async () => {
    const { collector, told, otlp, say, names } = await exporting()
    collector.status = 503
    say('one')
    await otlp?.flush()
    say('two')
    await otlp?.flush()
    expect(told).toEqual([['down', 'status 503']])
    collector.status = 200
    await otlp?.flush()
    expect(names()).toEqual(['one', 'two'])
    expect(told).toEqual([
      ['down', 'status 503'],
      ['back', undefined],
    ])
  })

  test('what it refuses is not sent again', async () => {
    const { collector, otlp, say, names } = await exporting()
    collector.status = 400
    say('one')
    await otlp?.flush()
    collector.status = 200
    say('two')
    await otlp?.flush()
    expect(names()).toEqual(['two'])
  })

  test('so many spans are kept, and sent in batches', async () => {
    const { collector, otlp, say } = await exporting()
    collector.status = 503
    say('first')
    await otlp?.flush()
    for (let count = 0; count < 5000; count += 1) say('more')
    collector.status = 200
    await otlp?.flush()
    expect(collector.sent.map((sent) => spansOf([sent]).length)).toEqual([512, 512, 512, 512])
  })

  test('spans are sent every five seconds', async () => {
    const { clock, say, names } = await exporting()
    say('one')
    clock.advance(5_000)
    await expect.poll(names).toEqual(['one'])
  })

  test('an SDK that is there keeps the spans', async () => {
    const { collector, clock, otlp } = await exporting()
    const second = startOtlp(
      { url: collector.url, headers: {}, resource: {} },
      { clock, version: '', onChange: () => undefined },
    )
    expect(otlp).toBeDefined()
    expect(second).toBeUndefined()
  })
})
