import { expect, test } from 'vitest'
import { answer, raw, refusal, type Script } from '../doubles/openai-compat.ts'
import { type Body, startStage, weather } from './stage.ts'

const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
const withPart = (part: object) => [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }]

function said(message: string, status: number, code: unknown = status): Script {
  return refusal(status, { error: { message, code, type: 'server_error' } })
}

const refusals: readonly [string, Script][] = [
  [
    'llama.cpp',
    said('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj', 500),
  ],
  ['Ollama', said('Failed to create new sequence: this model is missing data required for image input', 500)],
  ['vLLM', said('Model m is not a multimodal model', 400)],
  ['vLLM, counting', said('At most 0 image(s) may be provided in one request.', 400)],
  ['LM Studio', said('Model does not support images. Please use a model that does.', 400)],
  ['OpenRouter', said('No endpoints found that support image input', 404)],
  ['OpenAI', said('Invalid content type. image_url is only supported by certain models.', 400)],
  ['DeepSeek', refusal(422, 'Failed to deserialize: messages[0]: unknown variant `image_url`, expected `text`')],
  [
    'Groq',
    said(
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
      400,
    ),
  ],
  ['Mistral', said('Image input is not enabled for this model', 400)],
  ['SGLang', said('This model does not support vision.', 500)],
  ['a stream', raw('data: {"error":{"message":"image input is not supported","code":500}}\n\n')],
]

test.each(refusals.flatMap(([name, script]) => [true, false].map((stream) => [name, stream, script] as const)))(
  'an image that a model of %s does not take is a refusal for good, streaming: %s',
  async (_, stream, script) => {
    const { ask, bodies } = await startStage([script])
    const { status, json } = await ask({ stream, messages: withPart(picture) })
    expect([status, json.error]).toMatchObject([
      400,
      { code: 'unsupported_parameter', type: 'invalid_request_error', param: 'messages[0].content' },
    ])
    expect(json.error.message).toContain('does not accept images')
    expect(json.error.message).not.toMatch(/429|50[0-4]|timeout|rate limit|server error/i)
    expect(bodies()).toHaveLength(1)
  },
)

test('sound is told apart', async () => {
  const { ask } = await startStage([said('audio input is not supported', 500)])
  expect((await ask({ messages: withPart(sound) })).json.error.message).toContain('does not accept audio')
})

test.each([
  ['with tools in the prompt', { tools: 'prompt' as const }],
  ['with native tools', { tools: 'native' as const }],
])('it is so %s', async (_, model) => {
  const { ask } = await startStage([said('image input is not supported', 500)], { model })
  const messages = [{ role: 'user', content: 'Hi' }, ...withPart(picture)]
  const { status, json } = await ask({ tools: [weather], messages })
  expect([status, json.error.param]).toEqual([400, 'messages[1].content'])
})

test('without an image, the same words are the trouble of the service', async () => {
  const { ask } = await startStage([said('image input is not supported', 500)])
  expect((await ask()).status).toBe(502)
})

test('trouble with an image in the request is still trouble', async () => {
  const { ask } = await startStage([said('out of memory', 500)])
  expect((await ask({ messages: withPart(picture) })).status).toBe(502)
})

test.each(['native', 'prompt'] as const)('an image reaches a model that takes it, tools: %s', async (tools) => {
  const { ask, bodies } = await startStage([answer({ text: 'A cat.' })], { model: { tools } })
  expect((await ask({ tools: [weather], messages: withPart(picture) })).status).toBe(200)
  const sent = (bodies()[0]?.['messages'] as readonly Body[] | undefined)?.at(-1)
  expect(sent?.['content']).toContainEqual(picture)
})
