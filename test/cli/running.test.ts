import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFolder, runDragoman, startGateway } from '../dragoman.ts'

const places = '.local/state/dragoman/running'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

async function start(options: Parameters<typeof startGateway>[0] = {}) {
  const gateway = await startGateway(options)
  onTestFinished(gateway.stop)
  return gateway
}

test('a gateway says where it runs while it does, to its owner alone', async () => {
  const { folder, origin, child, outcome } = await start()
  const file = join(folder, places, `${child.pid}.json`)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: child.pid, origin })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, places)).mode & 0o777).toBe(0o700)
  child.kill('SIGTERM')
  await outcome
  expect(existsSync(file)).toBe(false)
}, 60_000)

test('connect and doctor find it on any port, by the state folder', async () => {
  const gateway = await start({ environment: { XDG_STATE_HOME: undefined } })
  const settings = await runDragoman(['connect', 'opencode', '--json'], gateway)
  expect(JSON.parse(settings.out).text).toContain(`${gateway.origin}/v1`)
  const elsewhere = createFolder()
  onTestFinished(elsewhere.remove)
  const environment = { HOME: gateway.folder }
  const other = await runDragoman(['connect', 'opencode', '--json'], { ...elsewhere, environment })
  expect(JSON.parse(other.out).text).toContain(`${gateway.origin}/v1`)
  const doctor = await runDragoman(['doctor'], gateway)
  expect(doctor.out).toContain(`Dragoman is running at ${gateway.origin}.`)
})

test('the file of a gateway that was killed, and one of a program that is none, are not believed', async () => {
  const place = createFolder()
  onTestFinished(place.remove)
  const folder = join(place.folder, places)
  mkdirSync(folder, { recursive: true })
  const say = (pid: number, origin: string) =>
    writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ pid, origin, since: 1 }))
  const gateway = await start()
  say(2 ** 22 + 1, gateway.origin)
  say(process.pid, `http://127.0.0.1:${await freePort()}`)
  writeFileSync(join(folder, '7.json'), 'no JSON')
  const { out } = await runDragoman(['connect', 'opencode', '--model', 'm', '--json'], place)
  expect(JSON.parse(out).text).toContain('http://127.0.0.1:8484/v1')
  expect(readdirSync(folder)).toEqual([])
})

test('a port that a gateway has is told as such', async () => {
  const { origin, folder } = await start()
  const { port } = new URL(origin)
  const { complaints, code } = await runDragoman(['--port', port, '--strict-port'], { folder })
  expect([code, complaints]).toEqual([
    1,
    expect.stringContaining(`Dragoman already runs on 127.0.0.1:${port}. Stop that one`),
  ])
  const second = await start({ args: ['--listen', `127.0.0.1:${port}`] })
  expect(second.banner).toContain(`Dragoman already runs on port ${port}, so I'm using `)
})

test.each<[string, (url: string) => { readonly args: readonly string[]; readonly config: string }]>([
  ['--upstream', (url) => ({ args: ['--upstream', url], config: '' })],
  ['upstreams.me.url', (url) => ({ args: [], config: JSON.stringify({ upstreams: { me: { kind: 'openai', url } } }) })],
])('a gateway whose %s is its own address does not start', async (field, say) => {
  const port = await freePort()
  const { args, config } = say(`http://localhost:${port}/v1`)
  const place = createFolder({ 'dragoman.yaml': config })
  onTestFinished(place.remove)
  const began = performance.now()
  const { code, complaints } = await runDragoman(['--port', String(port), ...args], place)
  expect([code, complaints]).toEqual([1, expect.stringContaining(`${field} is the gateway's own address (http://`)])
  expect(performance.now() - began).toBeLessThan(8_000)
})

test('a gateway behind a gateway is known as one, with the context of the model behind both', async () => {
  const back = await start({ config: { upstreams: { r: { kind: 'rehearsal' } }, models: { small: {} } } })
  const front = await start({ args: ['--upstream', back.origin] })
  expect(front.banner).toContain(`● default  Dragoman at ${back.origin}/v1`)
  expect(front.banner).not.toContain('4,096')
  const { data } = (await (await fetch(`${front.origin}/v1/models`)).json()) as { data: Record<string, unknown>[] }
  expect(data.map(({ id, context_length: length }) => [id, length])).toEqual([
    ['small', undefined],
    ['rehearsal', undefined],
  ])
})

test('a request that goes round between two gateways is refused at once', async () => {
  const port = await freePort()
  const model = { upstream: 'other' }
  const first = await start({
    config: { upstreams: { other: { kind: 'openai', url: `http://127.0.0.1:${port}/v1` } }, models: { m: model } },
  })
  const config = { upstreams: { other: { kind: 'openai', url: `${first.origin}/v1` } }, models: { m: model } }
  const second = await start({ config, args: ['--listen', `127.0.0.1:${port}`] })
  for (const origin of [first.origin, second.origin]) {
    const response = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, error.message]).toEqual([400, expect.stringContaining('came back to the gateway')])
    expect(error.message).toContain("'upstreams.NAME.url'")
  }
}, 60_000)
