import { expect, onTestFinished, test } from 'vitest'
import { createTurns } from '../../src/turn/turns.ts'
import { createUpstream } from '../../src/upstreams/registry.ts'
import { answer, json, type OpenAiDoubleOptions, refusal, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { timeouts } from '../doubles/openai-upstream.ts'
import { type Asked, ask, run } from '../server/scripted.ts'

const listed = json({ object: 'list', data: [{ id: 'tiny:latest', object: 'model', owned_by: 'library' }] })

/** A gateway before something that is to Ollama as its source says. */
async function startOllama(
  respond: OpenAiDoubleOptions['respond'],
  questions: OpenAiDoubleOptions['questions'] = {},
  settings: object = {},
) {
  const double = await startOpenAiDouble({
    respond,
    models: listed,
    questions: {
      '/api/version': { version: '0.15.0' },
      '/api/show': { capabilities: ['tools', 'completion'] },
      ...questions,
    },
  })
  const upstream = createUpstream('local', { kind: 'openai', url: double.url, ...settings }, { timeouts })
  const turns = createTurns({ upstreams: new Map([['local', upstream]]), models: [], newId: () => 'call_1' })
  const running = await run({ turns })
  onTestFinished(async () => {
    await running.gateway.close()
    await upstream.close()
    await double.close()
  })
  const say = (body: object = {}, asked: Asked = {}) =>
    ask(running.port, { ...asked, body: { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], ...body } })
  return { ...running, double, upstream, say }
}

test.each(['tiny', 'Tiny:latest', 'library/tiny:latest', 'tiny:latest'])('%s is one of its models', async (model) => {
  const { say, double } = await startOllama([answer({ text: 'Hello.' })])
  const { status, json: body } = await say({ model })
  expect([status, body.choices[0].message.content]).toEqual([200, 'Hello.'])
  expect(double.requests.at(-1)?.body).toMatchObject({ model: 'tiny:latest' })
})

test('a model it does not have is not found', async () => {
  const { say } = await startOllama([answer({ text: 'Hello.' })])
  expect((await say({ model: 'tiny:7b' })).status).toBe(404)
})

test('a model that does not think is asked without an effort, and the next time at once', async () => {
  const { say, double } = await startOllama((body) =>
    body['reasoning_effort'] === undefined
      ? answer({ text: 'Hello.' })
      : refusal(400, { error: { message: '"tiny" does not support thinking', type: 'invalid_request_error' } }),
  )
  const effort = { reasoning_effort: 'high' }
  expect((await say(effort)).json.choices[0].message.content).toBe('Hello.')
  expect((await say(effort)).json.choices[0].message.content).toBe('Hello.')
  const asked = double.requests.filter(({ method }) => method === 'POST')
  expect(asked.map(({ body }) => (body as Record<string, unknown>)['reasoning_effort'])).toEqual([
    'high',
    undefined,
    undefined,
  ])
})
