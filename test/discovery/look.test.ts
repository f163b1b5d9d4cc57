import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { lookAt, lookAtOneOf, type Sight } from '../../src/discovery/look.ts'

const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

interface Heard {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

async function start(answer: (path: string) => { status?: number; body: unknown } | undefined) {
  const heard: Heard[] = []
  const receive: RequestListener = ({ method = '', url: path = '', headers }, response) => {
    heard.push({ method, path, authorization: headers.authorization })
    const said = answer(path)
    if (said === undefined) return
    response.statusCode = said.status ?? 200
    const isText = typeof said.body === 'string'
    response.setHeader('content-type', isText ? 'text/html' : 'application/json')
    response.end(isText ? said.body : JSON.stringify(said.body))
  }
  const server = createServer(receive)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, heard }
}

const list = (...models: readonly object[]) => ({ object: 'list', data: models })
const notFound = { status: 404, body: { error: 'not found' } }

/** What each kind of server answers, by path. */
const servers: readonly (readonly [name: string, answers: Readonly<Record<string, unknown>>, sight: Partial<Sight>])[] =
  [
    [
      'Ollama',
      { '/v1/models': list({ id: 'llama3.2', owned_by: 'library' }), '/api/version': { version: '0.15.0' } },
      { kind: 'found', flavour: 'ollama', title: 'Ollama', models: ['llama3.2'] },
    ],
    [
      'Ollama without a model',
      { '/v1/models': { object: 'list', data: null }, '/api/version': { version: '0.15.0' } },
      { kind: 'found', flavour: 'ollama', models: [] },
    ],
    [
      'vLLM',
      { '/v1/models': list({ id: 'q', owned_by: 'vllm' }), '/version': { version: '0.27.1' } },
      { kind: 'found', flavour: 'vllm', title: 'vLLM' },
    ],
    [
      'llama.cpp',
      { '/v1/models': list({ id: 'g', owned_by: 'llamacpp' }), '/props': { default_generation_settings: {} } },
      { kind: 'found', flavour: 'llamacpp', title: 'llama.cpp' },
    ],
    [
      'SGLang, which answers the questions of Ollama as well',
      { '/v1/models': list({ id: 's', owned_by: 'sglang' }), '/api/version': { version: '1' } },
      { kind: 'found', flavour: 'sglang', title: 'SGLang' },
    ],
    [
      'LM Studio',
      {
        '/v1/models': list({ id: 'l', owned_by: 'organization_owner' }),
        '/api/v1/models': { models: [{ key: 'l', loaded_instances: [] }] },
      },
      { kind: 'found', flavour: 'lmstudio', title: 'LM Studio' },
    ],
    [
      'KoboldCpp, which answers the questions of Ollama as well',
      { '/v1/models': list({ id: 'koboldcpp/x', owned_by: 'koboldcpp' }), '/api/version': { version: '0.7.0' } },
      { kind: 'found', flavour: 'koboldcpp', title: 'KoboldCpp' },
    ],
    ['TabbyAPI', { '/v1/models': list({ id: 'x', owned_by: 'tabbyAPI' }) }, { kind: 'found', flavour: 'tabbyapi' }],
    [
      'llama-swap',
      { '/v1/models': list({ id: 'x', owned_by: 'llama-swap' }) },
      { kind: 'found', flavour: 'llama-swap' },
    ],
    ['any other', { '/v1/models': list({ id: 'x', owned_by: 'user' }) }, { kind: 'found', flavour: 'unknown' }],
    ['a Dragoman', { '/v1/models': list({ id: 'x', dragoman: { tools: 'auto' } }) }, { kind: 'gateway' }],
    ['some JSON', { '/v1/models': { hello: 'world' } }, { kind: 'other' }],
    ['a web page', { '/v1/models': '<html></html>' }, { kind: 'other' }],
    ['an API of something else', {}, { kind: 'other' }],
  ]

test.each(servers)('%s is told apart by GETs alone, without a key', async (_, answers, sight) => {
  const { url, heard } = await start((path) => (path in answers ? { body: answers[path] } : notFound))
  expect(await lookAt({ url })).toMatchObject(sight)
  expect(heard.every(({ method, authorization }) => method === 'GET' && authorization === undefined)).toBe(true)
})

test.each<[string, { status: number; body: unknown }, Sight['kind']]>([
  ['a server that wants a key', { status: 401, body: { error: 'Unauthorized' } }, 'locked'],
  ['a server that loads its model', { status: 503, body: { error: { message: 'Loading model' } } }, 'loading'],
  ['something that forbids', { status: 403, body: '' }, 'other'],
])('%s', async (_, said, kind) => {
  const { url } = await start(() => said)
  expect((await lookAt({ url })).kind).toBe(kind)
})

test('who accepts and says nothing is given up in a moment', async () => {
  const { url } = await start(() => undefined)
  const begun = performance.now()
  expect((await lookAt({ url })).kind).toBe('slow')
  expect(performance.now() - begun).toBeLessThan(1_500)
})

test('of two places for one server the one where somebody is counts', async () => {
  const { url } = await start((path) => (path === '/v1/models' ? { body: list({ id: 'm' }) } : notFound))
  const nobody = { url: 'http://127.0.0.1:1/v1' }
  expect(await lookAtOneOf([nobody, { url }])).toMatchObject({ kind: 'found', url })
  expect(await lookAtOneOf([nobody])).toEqual({ kind: 'none' })
})
