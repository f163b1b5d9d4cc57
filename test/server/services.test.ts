import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyring } from '../../src/server/access/auth.ts'
import { createServiceWatcher, type ServiceChange } from '../../src/server/service-watcher.ts'
import type { ServiceCard } from '../../src/turn/turn.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { createOpenAiUpstream } from '../../src/upstreams/openai/pooled.ts'
import { ask, batches, createManualClock, run, say, scriptTurns, stop } from './scripted.ts'

const turns = scriptTurns(() => batches([say('x'), stop]))
const up: ServiceCard = {
  name: 'local',
  state: 'up',
  address: 'http://10.1.1.1/v1',
  product: 'vLLM',
  models: [{ id: 'a <b>', ownedBy: 'local', tools: 'prompt', dialect: 'hermes', contextLength: 32_768 }],
}
const down: ServiceCard = { name: 'spare', state: 'down', reason: 'Gone.', remedy: 'Start it.', models: [] }

async function serving(
  services: readonly ServiceCard[] | undefined,
  keys: readonly string[] = [],
  readiness: 'gateway' | 'upstreams' = 'gateway',
) {
  const keyring = createKeyring(keys)
  const running = await run({ turns, services: () => services, version: '1.2.3', keyring, readiness })
  onTestFinished(() => running.gateway.close())
  return (path: string, accept = '*/*') => ask(running.port, { method: 'GET', path, headers: { accept } })
}

test.each([
  ['none was looked for yet', undefined, 503, { error: { code: 'not_ready' } }],
  ['all are there', [up], 200, { status: 'ready' }],
  ['one is not', [up, down], 200, { status: 'degraded', services: [{ service: 'spare', reason: 'Gone. Start it.' }] }],
  ['none is', [down], 200, { status: 'degraded', services: [{ service: 'spare' }] }],
])('/readyz when %s', async (_, services, status, body) => {
  const reply = await (await serving(services))('/readyz')
  expect(reply.status).toBe(status)
  expect(reply.json).toMatchObject(body)
  expect(reply.text).not.toContain('10.1.1.1')
})

test.each([
  ['one is not', [up, down], 200, { status: 'degraded' }],
  ['none is', [down], 503, { status: 'down', services: [{ service: 'spare' }], error: { code: 'not_ready' } }],
])('/readyz where readiness is that of the upstreams, when %s', async (_, services, status, body) => {
  const reply = await (await serving(services, [], 'upstreams'))('/readyz')
  expect(reply.status).toBe(status)
  expect(reply.json).toMatchObject(body)
})

test.each(['/', '/v1', '/v1/'])('%s is text for curl and a page for a browser', async (path) => {
  const get = await serving([up, down])
  const text = await get(path)
  expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(text.text).toMatch(/^Dragoman 1\.2\.3\n/)
  expect(text.text).toContain(
    'local: up\n  vLLM at http://10.1.1.1/v1\n  - a <b>, tools via prompt (hermes), 32k context\n',
  )
  expect(text.text).toContain('spare: down\n  Gone. Start it.\n')
  const page = await get(path, 'text/html,application/xhtml+xml')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.text).toContain('a &#60;b&#62;')
  expect(page.text).not.toContain('<b>')
})

test('where keys are set, / tells strangers nothing of the services', async () => {
  const get = await serving([up, down], ['secret'])
  for (const accept of ['*/*', 'text/html']) {
    const { status, text } = await get('/', accept)
    expect(status).toBe(200)
    expect(text).toContain('one of the keys')
    expect(text).not.toMatch(/10\.1\.1\.1|spare|vLLM|secret/)
  }
})

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

const listing: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"data": [{"id": "a"}]}')
}

test('a service that dies is told, and so is one that comes back', async () => {
  const first = createServer(listing)
  const port = await listen(first, 0)
  const clock = createManualClock()
  const timeouts = { connectMs: 1000, firstEventMs: 1000, idleMs: 1000, totalMs: 1000 }
  const upstream = createOpenAiUpstream({ name: 'local', url: `http://127.0.0.1:${port}/v1`, timeouts, now: clock.now })
  const parts = { upstreams: new Map([['local', upstream]]), models: [], newId: () => 'call_1', now: clock.now }
  const { services } = createTurns(parts)
  const told: ServiceChange[] = []
  let looked = Promise.withResolvers<void>()
  const watcher = createServiceWatcher({
    clock,
    onChange: (change) => told.push(change),
    async services(signal) {
      const { resolve } = looked
      const seen = (await services?.(signal)) ?? []
      setImmediate(resolve)
      return seen
    },
  })
  async function pass(ms: number): Promise<string | undefined> {
    looked = Promise.withResolvers()
    clock.advance(ms)
    await looked.promise
    return watcher.services?.[0]?.state
  }
  expect(await watcher.check()).toMatchObject([{ name: 'local', state: 'up', models: [{ id: 'a' }] }])
  await close(first)
  expect(await pass(5_000)).toBe('up')
  expect(await pass(5_000)).toBe('down')
  const second = createServer(listing)
  await listen(second, port)
  expect(await pass(5_000)).toBe('down')
  expect(await pass(5_000)).toBe('up')
  expect(told.map(({ state, service }) => [service.name, state, service.reason])).toEqual([
    ['local', 'down', 'Nothing is listening there (connection refused).'],
    ['local', 'back', undefined],
  ])
  watcher.close()
  await upstream.close()
  await close(second)
})
