import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { ask } from '../server/scripted.ts'
import { checkBody, checkError, checkLines } from './ollama-checker.ts'

/** What clients really send. None of it is refused, but for embeddings, which this model server has none of. */

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const post = (path: string, body: object): Request => ({ method: 'POST', path, body: { model: 'm', ...body } })
const get = (path: string): Request => ({ method: 'GET', path })
const object = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'Weather', parameters: object } }]
const question = { role: 'user', content: 'weather?' }
const call = (id: string, city: string, more: object = {}) => ({
  id,
  ...more,
  function: { name: 'get_weather', arguments: { city } },
})

const requests: readonly (readonly [name: string, request: Request])[] = [
  [
    'ollama-js: options and how long to keep the model',
    post('/api/chat', {
      messages: [{ role: 'system', content: 's' }, question],
      options: {
        ...{ temperature: 0.1, num_ctx: 8192, num_predict: 50, stop: ['X'], top_k: 5, top_p: 0.9 },
        ...{ min_p: 0.05, seed: 1, repeat_penalty: 1.1 },
      },
      keep_alive: '5m',
      stream: false,
    }),
  ],
  [
    'ollama-js: a picture, tools and thinking',
    post('/api/chat', { messages: [{ ...question, images: ['AQID'] }], tools, stream: true, think: true }),
  ],
  [
    'ollama-js: results with the name of the tool alone',
    post('/api/chat', {
      messages: [
        { ...question, images: ['AQID'] },
        {
          role: 'assistant',
          content: 'Checking.',
          thinking: 'Hmm',
          tool_calls: [call('call_1', 'Oslo'), call('call_2', 'Rome')],
        },
        { role: 'tool', tool_name: 'get_weather', content: 'sunny' },
        { role: 'tool', tool_name: 'get_weather', content: 'sunny' },
      ],
      tools,
      stream: true,
      think: 'low',
    }),
  ],
  [
    'ollama-js: a schema, logprobs, no thinking',
    post('/api/chat', {
      messages: [question],
      format: object,
      think: false,
      logprobs: true,
      top_logprobs: 2,
      stream: false,
    }),
  ],
  [
    'ollama-js: JSON, and the model let go',
    post('/api/chat', { messages: [question], format: 'json', keep_alive: 0, stream: false }),
  ],
  [
    'ollama-js: generate with everything empty that can be',
    post('/api/generate', {
      ...{ prompt: 'hi', system: 's', suffix: '', template: '', raw: false, format: 'json' },
      ...{ options: { temperature: 0 }, stream: false },
    }),
  ],
  ['ollama-js: generate with a picture', post('/api/generate', { prompt: 'hi', stream: true, images: ['AQ=='] })],
  [
    'LangChain: results with neither id nor name, ids of its own',
    post('/api/chat', {
      options: { temperature: 0 },
      tools,
      messages: [
        question,
        {
          role: 'assistant',
          content: 'Checking.',
          tool_calls: [
            call('ce93d964-99bb-4eaa-bddb-1ceb3a79e988', 'Oslo', { type: 'function' }),
            call('43d23268-8603-4cd3-9574-a57fee8dfd65', 'Rome', { type: 'function' }),
          ],
        },
        { role: 'tool', content: 'sunny' },
        { role: 'tool', content: 'sunny' },
      ],
      stream: true,
    }),
  ],
  [
    'an older client: arguments as a string, a result in OpenAI’s form',
    post('/api/chat', {
      messages: [
        question,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }],
        },
        { role: 'tool', name: 'get_weather', content: [{ type: 'text', text: 'sunny' }] },
      ],
      tools,
    }),
  ],
  ['a model to load', post('/api/generate', { keep_alive: -1 })],
  ['the list', get('/api/tags')],
  ['a model shown by its old name', post('/api/show', { name: 'm', verbose: true })],
  ['what runs', get('/api/ps')],
  ['the version', get('/api/version')],
  ['a model to fetch', post('/api/pull', { name: 'm:latest', insecure: false })],
  ['embeddings', post('/api/embed', { input: ['a'] })],
]

const folder = join('..', 'shared', 'recordings')
const recorded = (existsSync(folder) ? readFileSync(join(folder, 'ollama-js.jsonl'), 'utf8') : '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): readonly [string, Request] => {
    const { client, scenario, request } = JSON.parse(line)
    return [`recorded: ${client}, ${scenario}`, request]
  })

describe.each(['native', 'prompt'])('%s', (mode) => {
  let gateway: RunningGateway

  beforeAll(async () => {
    gateway = await startGateway({
      config: { upstreams: { stand: { kind: 'rehearsal' } }, models: { m: { model: 'rehearsal', tools: mode } } },
    })
  }, 30_000)
  afterAll(() => gateway.stop())

  test.each([...requests, ...recorded])('%s', async (_, { method, path, body }) => {
    const port = Number(new URL(gateway.origin).port)
    const { status, text, headers } = await ask(port, { method, path, ...(method === 'POST' && { body }) })
    if (path.startsWith('/api/embed')) {
      expect({ status, wrong: checkError(status, text) }).toEqual({ status: 404, wrong: [] })
      return
    }
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
    const kind = path.endsWith('/chat') ? 'chat' : path.endsWith('/generate') ? 'generate' : undefined
    if (kind === undefined) return
    const isStream = headers['content-type'] === 'application/x-ndjson'
    expect(isStream ? checkLines(text, kind) : checkBody(text, kind)).toEqual([])
  })
})
