import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createFolder, runDragoman, startGateway, untilSaid } from '../dragoman.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** A service that lists one model, at a port, and what keys it was sent. */
async function startService(
  owner: string,
  model: string,
  port = 0,
  beforeAnswer = async (): Promise<void> => undefined,
) {
  const keys: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization)
    await beforeAnswer()
    const isList = request.url === '/v1/models'
    response.statusCode = isList ? 200 : 404
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(isList ? { object: 'list', data: [{ id: model, owned_by: owner }] } : { error: 'no' }))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, keys }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

async function serve(environment: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const gateway = await startGateway({ environment, args })
  undo.push(gateway.stop)
  const models = async () => {
    const { data } = (await (await fetch(`${gateway.origin}/v1/models`)).json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  return { ...gateway, models }
}

test('everything that runs on this machine is served under one address, without a key', async () => {
  const vllm = await startService('vllm', 'qwen')
  const llama = await startService('llamacpp', 'gemma')
  const { banner, models } = await serve({ DRAGOMAN_DISCOVER: `${vllm.port},${llama.port}` })
  expect(banner).toContain(`● vllm  vLLM at http://127.0.0.1:${vllm.port}/v1\n      qwen`)
  expect(banner).toContain(`● llamacpp  llama.cpp at http://127.0.0.1:${llama.port}/v1\n      gemma`)
  expect(banner).not.toContain('rehearsal')
  expect(await models()).toEqual(['qwen', 'gemma'])
  expect(new Set([...vllm.keys, ...llama.keys])).toEqual(new Set([undefined]))
})

test('it listens before it has looked, and a request for a model that is about to be found waits for it', async () => {
  const own = await freePort()
  let asked: Promise<Response> | undefined
  const { port } = await startService('vllm', 'qwen', 0, async () => {
    asked ??= fetch(`http://127.0.0.1:${own}/v1/models/qwen`)
    // The request for the model has arrived before this one is answered.
    await fetch(`http://127.0.0.1:${own}/livez`)
  })
  await serve({ DRAGOMAN_DISCOVER: String(port) }, ['--listen', `127.0.0.1:${own}`])
  expect((await asked)?.status).toBe(200)
})

test('with nothing there it says so, goes on looking, and takes up what appears', async () => {
  const port = await freePort()
  const { banner, models, child } = await serve({ DRAGOMAN_DISCOVER: String(port) })
  expect(banner).toContain('No model server found on this machine')
  expect(banner).toContain('rehearsal')
  expect(await models()).toEqual(['rehearsal'])
  const found = untilSaid(child.stderr, /Found .*\n/)
  await startService('vllm', 'qwen', port)
  expect(await found).toContain(`Found vLLM at http://127.0.0.1:${port}/v1: qwen.`)
  expect(await models()).toEqual(['qwen'])
})

test('OPENAI_BASE_URL and OLLAMA_HOST are used, the key only where it belongs', async () => {
  const hosted = await startService('someone', 'large')
  const ollama = await startService('library', 'tiny')
  const nobody = await freePort()
  const { models } = await serve({
    DRAGOMAN_DISCOVER: String(nobody),
    OPENAI_BASE_URL: `http://127.0.0.1:${hosted.port}/v1`,
    OPENAI_API_KEY: 'sk-secret-of-mine',
    OLLAMA_HOST: `127.0.0.1:${ollama.port}`,
  })
  expect(await models()).toEqual(['large', 'tiny'])
  expect(hosted.keys).toContain('Bearer sk-secret-of-mine')
  expect(new Set(ollama.keys)).toEqual(new Set([undefined]))
})

test('a gateway never serves itself, nor another one', async () => {
  const first = await serve({ DRAGOMAN_DISCOVER: 'off' })
  const { port } = new URL(first.origin)
  const second = await serve({ DRAGOMAN_DISCOVER: port, OPENAI_BASE_URL: `${first.origin}/v1` })
  expect(second.banner.replace(/\s+/g, ' ')).toContain(
    `OPENAI_BASE_URL points at Dragoman (${first.origin}/v1), so I'm not using it as a model server.`,
  )
  expect(second.banner).toContain('● rehearsal')
})

test('--model names one of what was found', async () => {
  const one = await startService('vllm', 'qwen')
  const two = await startService('llamacpp', 'gemma')
  const { banner } = await serve({ DRAGOMAN_DISCOVER: `${one.port},${two.port}` }, ['--model', 'gemma'])
  expect(banner).toContain('Model     gemma')
})

test('a config file that names an upstream is all that counts', async () => {
  const { port } = await startService('vllm', 'qwen')
  const gateway = await startGateway({
    config: 'upstreams: { r: { kind: rehearsal } }',
    environment: { DRAGOMAN_DISCOVER: String(port) },
  })
  undo.push(gateway.stop)
  expect(gateway.banner).not.toContain('qwen')
})

test('a taken port: the next free one, said aloud', async () => {
  const taken = await startService('vllm', 'qwen')
  const { banner, origin } = await serve({}, ['--port', String(taken.port)])
  const { port } = new URL(origin)
  expect(Number(port)).toBeGreaterThan(taken.port)
  expect(banner).toContain(`Port ${taken.port} is taken, so I'm using ${port} instead.`)
})

test('words that are no ports are refused', async () => {
  const { folder, remove } = createFolder()
  undo.push(remove)
  const refused = await runDragoman(['--discover', 'everywhere'], { folder })
  expect(refused.code).toBe(2)
  expect(refused.complaints).toContain('--discover: expected on, off, or ports such as 8000,8080')
})
