import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createFolder, runDragoman, startDragoman, startGateway, untilSaid } from '../dragoman.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

interface Choice {
  readonly finish_reason: string
  readonly message: { readonly tool_calls: readonly { readonly function: object }[] }
}

async function serve(config: string, args: readonly string[] = []) {
  const gateway = await startGateway({ config, args })
  undo.push(gateway.stop)
  const models = async () => {
    const { data } = (await (await fetch(`${gateway.origin}/v1/models`)).json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  return { ...gateway, models }
}

async function listen(receive: RequestListener) {
  const server = createServer(receive)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = () => new Promise<void>((done) => server.close(() => done()))
  undo.push(async () => {
    server.closeAllConnections()
    if (server.listening) await close()
  })
  return { port: (server.address() as AddressInfo).port, close }
}

test('what the start prints can be pasted and gives a tool call', async () => {
  const { banner, child, outcome } = await serve('')
  expect(banner).toContain('No model server is set up')
  // That a shell takes it so is seen to in src/cli/serve/banner.test.ts.
  const [, url = '', body = ''] = /^curl -sS (\S+) [\s\S]*? -d '([\s\S]*?\n {2}})'$/m.exec(banner) ?? []
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = (await response.json()) as { choices: Choice[] }
  const [choice] = answer.choices
  expect(choice?.finish_reason).toBe('tool_calls')
  expect(choice?.message.tool_calls[0]?.function).toEqual({ name: 'read_file', arguments: '{"path":"README.md"}' })
  child.kill('SIGINT')
  expect((await outcome).code).toBe(0)
})

test('the start screen warns of a key that can be guessed, and does not show it', async () => {
  const { banner } = await serve('keys: [{ name: ci, key: hunter2 }]\n')
  expect(banner.replace(/\s+/g, ' ')).toContain('The key "ci" has fewer than 16 characters and can be guessed.')
  expect(banner).not.toContain('hunter2')
})

test('a changed file is taken up, a bad one refused, without a restart', async () => {
  const file = (model: string) => `upstreams: { r: { kind: rehearsal } }\nmodels: { ${model}: {} }\n`
  const { write, child, models, origin } = await serve(file('one'))
  expect(await models()).toContain('one')
  const taken = untilSaid(child.stderr, /configuration loaded/)
  write('dragoman.yaml', file('two'))
  await taken
  expect(await models()).toContain('two')
  expect(await models()).not.toContain('one')
  const limited = untilSaid(child.stderr, /configuration loaded/)
  write('dragoman.yaml', `${file('two')}limits: { body: 10b }\n`)
  await limited
  const large = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"model": "two"}',
  })
  expect(large.status).toBe(413)
  const refused = untilSaid(child.stderr, /the old one stays:\n.*\n/)
  write('dragoman.yaml', `${file('three')}colour: red\n`)
  expect(await refused).toContain('colour: unknown key "colour"')
  expect(await models()).toContain('two')
})

test('--upstream serves what the service lists, with the tools and the dialect the flags say', async () => {
  const service = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"object": "list", "data": [{"id": "their-model"}]}')
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  undo.push(() => service.close())
  const { port } = service.address() as AddressInfo
  const { banner } = await serve('', [
    '--upstream',
    `http://127.0.0.1:${port}`,
    '--tools',
    'prompt',
    '--dialect',
    'roo-xml',
  ])
  expect(banner).toContain(`● default  http://127.0.0.1:${port}/v1\n      their-model  tools via prompt (roo-xml)\n`)
  expect(banner).not.toContain('stand-in')
})

test('the start shows a live, a dead and a strange service, and so do /readyz, /v1/models and /', async () => {
  const page = await listen((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<html><title>Welcome to nginx!</title></html>')
  })
  const dead = await listen(() => undefined)
  await dead.close()
  const live = await listen((request, response) => {
    const answer = request.url?.startsWith('/v1/models')
      ? { data: [{ id: 'coder', owned_by: 'vllm', max_model_len: 32_768 }] }
      : { version: '0.11.0' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  const openai = (port: number) => ({ kind: 'openai', url: `http://127.0.0.1:${port}/v1` })
  const upstreams = { live: openai(live.port), dead: openai(dead.port), strange: openai(page.port) }
  const config = { upstreams, models: { lost: { upstream: 'dead' }, coder: { upstream: 'live' } } }
  const { banner, origin } = await serve(JSON.stringify(config))
  expect(banner).toContain(`  ● live  vLLM at http://127.0.0.1:${live.port}/v1\n      coder  `)
  expect(banner).toContain('32k context')
  expect(banner).toContain(
    `  ✗ dead  http://127.0.0.1:${dead.port}/v1\n      Nothing is listening there (connection refused).\n`,
  )
  expect(banner).toContain(
    `  ✗ strange  http://127.0.0.1:${page.port}/v1\n      Something answers there, but it is not an`,
  )
  const ready = await fetch(`${origin}/readyz`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({
    status: 'degraded',
    services: [{ service: 'dead' }, { service: 'strange' }],
  })
  const { data } = (await (await fetch(`${origin}/v1/models`)).json()) as { data: object[] }
  expect(data).toMatchObject([
    { id: 'lost', dragoman: { available: false } },
    { id: 'coder', context_length: 32_768 },
  ])
  expect(data[1]).not.toHaveProperty('dragoman.available')
  const text = await (await fetch(origin, { headers: { accept: '*/*' } })).text()
  expect(text).toContain(`live: up\n  vLLM at http://127.0.0.1:${live.port}/v1\n  - coder, `)
  expect(text).toContain('dead: down\n')
})

test('with no service that answers it is degraded, and the list of models says why', async () => {
  const dead = await listen(() => undefined)
  await dead.close()
  const { banner, origin } = await serve('', ['--upstream', `http://127.0.0.1:${dead.port}`])
  expect(banner).toContain('no model server can be used yet')
  const ready = await fetch(`${origin}/readyz`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({ status: 'degraded', services: [{ service: 'default' }] })
  const models = await fetch(`${origin}/v1/models`)
  expect(models.status).toBe(502)
  expect(await models.json()).toMatchObject({
    error: { code: 'upstream_unreachable', message: expect.stringContaining('no model server answers') },
  })
})

test('keys are asked for, and their change is taken up', async () => {
  const { origin, write, child } = await serve('keys: [first]')
  const status = async (key: string) => (await fetch(`${origin}/v1/models`, { headers: { 'x-api-key': key } })).status
  expect([await status('first'), await status('second')]).toEqual([200, 401])
  const taken = untilSaid(child.stderr, /configuration loaded/)
  write('dragoman.yaml', 'keys: [second]')
  await taken
  expect([await status('first'), await status('second')]).toEqual([401, 200])
})

test('an open address cannot lose its keys while it is served', async () => {
  const place = createFolder({ 'dragoman.yaml': 'listen: 0.0.0.0:0\nkeys: [first]' })
  const child = startDragoman([], { folder: place.folder })
  undo.push(place.remove, () => child.kill('SIGKILL'))
  const banner = await untilSaid(child.stdout, /settings of OpenCode\n/)
  const refused = untilSaid(child.stderr, /the old one stays:\n.*\n/)
  place.write('dragoman.yaml', 'listen: 127.0.0.1:0')
  expect(await refused).toContain('keys: must not be empty while the gateway listens on 0.0.0.0:')
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0]
  expect((await fetch(`${origin}/v1/models`)).status).toBe(401)
})

test('a taken port that was insisted on is one clear line', async () => {
  const { origin, folder } = await serve('')
  const address = origin.replace('http://', '')
  const second = await runDragoman(['serve', '--listen', address, '--strict-port'], { folder })
  expect(second).toMatchObject({ code: 1, out: '' })
  expect(second.complaints).toMatch(/^error: Dragoman already runs on 127\.0\.0\.1:\d+.*\n$/)
})

test('a second signal does not wait for answers under way', async () => {
  const { child, outcome, origin } = await serve(
    'upstreams: { r: { kind: rehearsal, tokens_per_second: 0.01, piece_size: 1 } }\nmodels: { slow: {} }',
  )
  const { hostname, port } = new URL(origin)
  const body = JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
  const client = connect(Number(port), hostname)
  undo.push(() => client.destroy())
  client.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  await untilSaid(client, /data: /)
  const closing = untilSaid(child.stderr, /waiting for 1 request to finish\. Press Ctrl\+C again to stop now/)
  child.kill('SIGTERM')
  await closing
  child.kill('SIGTERM')
  expect((await outcome).code).toBe(130)
})

test.each([
  ['--listen', '0'],
  ['--listen', ':0'],
  ['--port', '0'],
])('%s %s takes any free port of this machine', async (flag, value) => {
  const place = createFolder({ 'dragoman.yaml': '' })
  const child = startDragoman([flag, value], { folder: place.folder })
  undo.push(place.remove, () => child.kill('SIGKILL'))
  const banner = await untilSaid(child.stdout, /settings of OpenCode\n/)
  const [origin] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(banner) ?? []
  expect((await fetch(`${origin}/livez`)).status).toBe(200)
})
