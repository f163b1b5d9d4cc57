import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { doors } from '../../src/doors/registry.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { createKeyring } from '../../src/server/access/auth.ts'
import type { GatewayOptions } from '../../src/server/gateway-options.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createRegistry } from '../../src/server/metrics/registry.ts'
import type { TurnContext } from '../../src/turn/turn.ts'
import { ask, chat, type Running, run, say, scriptTurns, stop, untilAborted } from './scripted.ts'

const usage = { type: 'usage', promptTokens: 20, completionTokens: 10 } as const
const call: readonly Event[] = [
  { type: 'call-start', index: 0, id: 'call_1', name: 'f' },
  { type: 'call-delta', index: 0, json: '{}' },
  { type: 'call-end', index: 0 },
]

/** What the model does depends on the model's name. */
const turns = scriptTurns(async function* ({ signal }: TurnContext, nth): AsyncGenerator<readonly Event[]> {
  const model = turns.starts[nth]?.request.model
  if (model === 'silent') await untilAborted(signal)
  yield [say('hi')]
  if (model === 'stuck') await untilAborted(signal)
  if (model === 'breaks') throw new GatewayError('upstream_truncated', 'gone')
  if (model === 'calls') yield [...call, { type: 'note', kind: 'leak_rescued' }, { type: 'note', kind: 'echo' }]
  yield [usage, stop]
})

let running: Running
const open = async (options: Partial<GatewayOptions> = {}) => {
  running = await run({ turns, labels: new Set(['m', 'calls']), ...options })
}

beforeEach(() => open())
afterEach(() => running.gateway.close())

async function figures(headers: Record<string, string> = {}): Promise<readonly string[]> {
  const { text, headers: said } = await ask(running.port, { method: 'GET', path: '/metrics', headers })
  expect(said['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  return text.split('\n')
}

test('requests, tokens and times are told by model, others by no name', async () => {
  await ask(running.port)
  await ask(running.port, { body: { ...chat, model: 'anything a client says "\n' } })
  const lines = await figures()
  const labels = 'gen_ai_operation_name="chat",gen_ai_provider_name="local",gen_ai_request_model='
  expect(lines).toContain('dragoman_requests_total{door="chat",status="200",code=""} 2')
  expect(lines).toContain(`gen_ai_client_token_usage_sum{${labels}"m",gen_ai_token_type="input"} 20`)
  expect(lines).toContain(`gen_ai_client_token_usage_bucket{${labels}"m",gen_ai_token_type="output",le="4"} 0`)
  expect(lines).toContain(`gen_ai_client_token_usage_bucket{${labels}"m",gen_ai_token_type="output",le="16"} 1`)
  expect(lines).toContain(`gen_ai_client_operation_duration_seconds_count{${labels}"m"} 1`)
  expect(lines).toContain(`gen_ai_server_time_to_first_token_seconds_count{${labels}"other"} 1`)
  expect(lines.join('\n')).not.toContain('anything')
  expect(lines).toContain('dragoman_requests_in_flight 1')
})

test('calls, rescues, echoes and notes are told by dialect and kind', async () => {
  await ask(running.port, { body: { ...chat, model: 'calls' } })
  const lines = await figures()
  expect(lines).toContain('dragoman_tool_calls_total{dialect="hermes",outcome="complete"} 1')
  expect(lines).toContain('dragoman_rescues_total{kind="leak_rescued"} 1')
  expect(lines).toContain('dragoman_echoes_blocked_total 1')
  expect(lines).toContain('dragoman_notes_total{kind="echo"} 1')
})

test('an answer that breaks off, and a refused request, are told by their code', async () => {
  await ask(running.port, { body: { ...chat, model: 'breaks', stream: true } })
  await ask(running.port, { body: { ...chat, messages: 7 } })
  const lines = await figures()
  expect(lines).toContain('dragoman_stream_errors_total{code="upstream_truncated"} 1')
  expect(lines).toContain('dragoman_requests_total{door="chat",status="200",code="upstream_truncated"} 1')
  expect(lines).toContain('dragoman_requests_total{door="chat",status="400",code="invalid_type"} 1')
})

test.each([
  ['silent', true, 'before_first_token'],
  ['stuck', true, 'streaming'],
  ['stuck', false, 'whole'],
])('a client that leaves a model that is %s (stream %s) went away %s', async (model, stream, moment) => {
  const before = turns.starts.length
  const headers = { 'content-type': 'application/json' }
  const sent = request({ port: running.port, method: 'POST', path: '/v1/chat/completions', headers })
  sent.on('error', () => undefined)
  sent.end(JSON.stringify({ ...chat, model, stream }))
  await expect.poll(() => turns.starts.length).toBe(before + 1)
  // What the model said has been heard once the events behind it have run.
  for (let nth = 0; nth < 5; nth += 1) await new Promise(setImmediate)
  const ended = running.nextRecord()
  sent.destroy()
  await ended
  expect(await figures()).toContain(`dragoman_aborts_total{moment="${moment}"} 1`)
})

describe('who may read them', () => {
  test.each([
    ['auto', {}, 401],
    ['auto', { authorization: 'Bearer gate' }, 200],
    ['open', {}, 200],
    ['off', { authorization: 'Bearer gate' }, 404],
  ] as const)('%s with %j: %d', async (access, headers, status) => {
    await running.gateway.close()
    await open({ keyring: createKeyring(['gate']), metrics: access })
    expect((await ask(running.port, { method: 'GET', path: '/metrics', headers })).status).toBe(status)
  })

  test('keys are told by their names', async () => {
    await running.gateway.close()
    await open({ keyring: createKeyring(['gate']) })
    const headers = { authorization: 'Bearer gate' }
    await ask(running.port, { headers })
    const lines = await figures(headers)
    expect(lines).toContain('dragoman_key_requests_total{key="key-1",status="200"} 1')
    expect(lines).toContain('dragoman_key_tokens_total{key="key-1",model="m"} 30')
  })
})

test('labels cannot grow without end, and cannot break out of their quotes', () => {
  const registry = createRegistry()
  const counter = registry.counter('c', 'help')
  for (let nth = 0; nth < 6000; nth += 1) counter.add({ a: `"\\\n${nth}` })
  const lines = registry.print().split('\n')
  expect(lines.length).toBe(5003)
  expect(lines[2]).toBe('c{a="\\"\\\\\\n0"} 1')
})

describe('the dashboard', () => {
  const text = readFileSync('docs/grafana.json', 'utf8')
  const { panels } = JSON.parse(text) as { panels: { title: string; targets: { expr: string }[] }[] }
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const { names } = createMetrics({ models: () => new Set(), underWay: () => 0 })
  const used = new Set(shown.flatMap((expr) => expr.match(/\b(?:gen_ai|dragoman|process)_\w+(?=[[{) ]|$)/g) ?? []))

  test('shows nothing that does not exist', () => {
    const known = new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]))
    const labels = /^gen_ai_(?:request_model|token_type|operation_name|provider_name)$/
    expect([...used].filter((name) => !known.has(name) && !labels.test(name))).toEqual([])
    expect(used.size).toBeGreaterThan(15)
  })

  test('shows every metric there is', () => {
    expect(names.filter((name) => !shown.some((expr) => expr.includes(name)))).toEqual([])
  })
})

describe('/openapi.json', () => {
  test('tells every route of every door, and each of them is served', async () => {
    const { json } = await ask(running.port, { method: 'GET', path: '/openapi.json' })
    expect(json.openapi).toBe('3.1.0')
    const told = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    )
    for (const { routes } of doors) {
      for (const { method, path, wants } of routes) {
        if (wants !== undefined) continue
        expect(told).toContainEqual([method, path.endsWith('/') && path !== '/' ? `${path}{rest}` : path])
      }
    }
    for (const [method, path] of told) {
      const body = method === 'POST' ? '{' : undefined
      const { status, json: said } = await ask(running.port, { method, path: path.replace('{rest}', 'x'), body })
      const isUnknownPath = status === 404 && JSON.stringify(said).includes('Nothing is served')
      expect([path, isUnknownPath, status]).not.toEqual([path, true, 404])
      expect([path, status]).not.toEqual([path, 405])
    }
  })

  test('operations have names of their own', async () => {
    const { json } = await ask(running.port, { method: 'GET', path: '/openapi.json' })
    const operations = Object.values(json.paths as Record<string, Record<string, { operationId?: string }>>)
    const ids = operations.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    const named = ids.filter((id) => id !== undefined)
    expect(new Set(named).size).toBe(named.length)
  })
})

test('the request id goes to the service and comes back', async () => {
  const { headers } = await ask(running.port, { headers: { 'x-request-id': 'trace-7' } })
  expect(headers['x-request-id']).toBe('trace-7')
  expect(turns.starts.at(-1)?.context.requestId).toBe('trace-7')
})
