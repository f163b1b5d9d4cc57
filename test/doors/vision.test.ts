import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type OpenAiDouble, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { ask } from '../server/scripted.ts'

let double: OpenAiDouble
let gateway: RunningGateway

beforeAll(async () => {
  double = await startOpenAiDouble({
    respond: ({ model }) => answer({ text: model === 'seeing' ? 'A chart that says 42.' : 'Done.' }),
  })
  gateway = await startGateway({
    config: {
      upstreams: { service: { kind: 'openai', url: double.url, flavour: 'openai' } },
      models: {
        blind: { upstream: 'service', tools: 'prompt', dialect: 'hermes', vision: 'seeing' },
        seeing: { upstream: 'service' },
      },
    },
  })
})
afterAll(async () => {
  await gateway.stop()
  await double.close()
})

const model = 'blind'
const base64 = 'iVBORw0KGgoAAA=='
const url = `data:image/png;base64,${base64}`
const text = { type: 'text', text: 'See' }

test.each<[string, object]>([
  [
    '/v1/chat/completions',
    { model, messages: [{ role: 'user', content: [text, { type: 'image_url', image_url: { url } }] }] },
  ],
  [
    '/v1/responses',
    {
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: url },
          ],
        },
      ],
    },
  ],
  [
    '/v1/messages',
    {
      model,
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [text, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }],
        },
      ],
    },
  ],
  ['/api/chat', { model, stream: false, messages: [{ role: 'user', content: 'See', images: [base64] }] }],
  ['/api/generate', { model, stream: false, prompt: 'See', images: [base64] }],
])('an image shown at %s is told in words, described once for all doors', async (path, body) => {
  const { status, text, headers } = await ask(Number(new URL(gateway.origin).port), { path, body })
  expect(status, text).toBe(200)
  const told = JSON.stringify(double.requests.at(-1)?.body)
  expect(told).toContain('See')
  expect(told).toContain('A chart that says 42.')
  expect(told).not.toContain(base64)
  expect(headers['x-dragoman-notice']).toContain('image_described;images="1 image by seeing"')
  const looks = double.requests.filter(({ body: asked }) => (asked as { model: string }).model === 'seeing')
  expect(looks).toHaveLength(1)
})
