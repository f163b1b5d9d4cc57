import { describe, expect, test } from 'vitest'
import { answerAt } from '../../../test/doors/visit.ts'
import { GatewayError } from '../../errors.ts'
import type { ModelCard } from '../../turn/turn.ts'
import { ollama } from './door.ts'

const cards: readonly ModelCard[] = [
  { id: 'Qwen/Qwen3-Coder-30B', ownedBy: 'local', tools: 'prompt', contextLength: 32_768 },
  { id: 'llava:7b', ownedBy: 'local', tools: 'auto', vision: true, thinking: false },
  { id: 'hf.co/x/gpt-oss-20b', ownedBy: 'local', tools: 'native', thinking: true },
]
const started = 1_700_000_000_000
const given = {
  started,
  now: () => started,
  models: async () => cards,
  async model(name: string) {
    const card = cards.find(({ id }) => id === name)
    if (card === undefined) throw new GatewayError('model_not_found', `The model '${name}' does not exist.`)
    return card
  },
}
const ask = async (path: string, body?: unknown) =>
  JSON.parse(
    (await answerAt(ollama, body === undefined ? 'GET' : 'POST', path, { ...given, body: async () => body })).body,
  )

test('tags list every model with what makes clients offer it', async () => {
  const { models } = await ask('/api/tags')
  expect(models).toMatchObject([
    {
      name: 'Qwen/Qwen3-Coder-30B:latest',
      model: 'Qwen/Qwen3-Coder-30B:latest',
      modified_at: '2023-11-14T22:13:20.000Z',
      size: 0,
      details: {
        parent_model: '',
        format: 'gguf',
        family: 'qwen3-coder',
        families: ['qwen3-coder'],
        parameter_size: '30B',
        quantization_level: '',
        context_length: 32_768,
      },
      capabilities: ['completion', 'tools'],
    },
    {
      name: 'llava:7b',
      details: { family: 'llava', parameter_size: '7B' },
      capabilities: ['completion', 'tools', 'vision'],
    },
    {
      name: 'hf.co/x/gpt-oss-20b:latest',
      details: { family: 'gpt-oss' },
      capabilities: ['completion', 'tools', 'thinking'],
    },
  ])
  const digests = new Set(models.map(({ digest }: { digest: string }) => digest))
  expect(digests.size).toBe(3)
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
})

describe('show', () => {
  test.each(['model', 'name'])('tells by its %s what a model can do and how much it takes', async (field) => {
    expect(await ask('/api/show', { [field]: 'Qwen/Qwen3-Coder-30B' })).toEqual({
      license: '',
      modelfile: '',
      parameters: '',
      template: '',
      details: expect.objectContaining({ family: 'qwen3-coder' }),
      model_info: { 'general.architecture': 'qwen3-coder', 'qwen3-coder.context_length': 32_768 },
      capabilities: ['completion', 'tools'],
      modified_at: '2023-11-14T22:13:20.000Z',
    })
  })

  test('makes up no size of the context', async () => {
    expect(await ask('/api/show', { model: 'llava:7b' })).toMatchObject({
      model_info: { 'general.architecture': 'llava' },
    })
  })

  test('refuses an unknown model', async () => {
    await expect(ask('/api/show', { model: 'nope' })).rejects.toMatchObject({ status: 404 })
  })
})

test('what is served is loaded', async () => {
  const { models } = await ask('/api/ps')
  expect(models).toMatchObject([
    {
      name: 'Qwen/Qwen3-Coder-30B:latest',
      expires_at: '2023-11-15T22:13:20.000Z',
      size_vram: 0,
      context_length: 32_768,
    },
    { name: 'llava:7b' },
    { name: 'hf.co/x/gpt-oss-20b:latest' },
  ])
})

test('the version is a number that editors take', async () => {
  expect((await ask('/api/version')).version).toMatch(/^0\.(?:[7-9]|[1-9]\d+)\.\d+$/)
})

describe('pull', () => {
  const pull = (body: object) => answerAt(ollama, 'POST', '/api/pull', { ...given, body: async () => body })

  test('of what is there is done at once', async () => {
    expect(await pull({ model: 'llava:7b' })).toEqual({
      status: 200,
      body: '{"status":"success"}\n',
      contentType: 'application/x-ndjson',
    })
    expect(await pull({ name: 'llava:7b', stream: false })).toEqual({ status: 200, body: '{"status":"success"}' })
  })

  test('of what is not there is refused', async () => {
    await expect(pull({ model: 'nope' })).rejects.toMatchObject({ status: 404 })
  })
})

test.each<[string, boolean]>([
  ['ollama-js/0.6.4 (x64 linux Node.js/v24.21.0)', true],
  ['ollama-python/0.6.1 (x86_64 linux) Python/3.13', true],
  ['ollama/0.33.0 (amd64 linux) Go/go1.24', true],
  ['Mozilla/5.0', false],
  ['curl/8.5.0', false],
])('%s at the root: %s', (agent, expected) => {
  const route = ollama.routes.find(({ path }) => path === '/')
  expect(route?.wants?.({ header: () => agent, rest: '' })).toBe(expected)
})
