import { expect, test } from 'vitest'
import { answer, refusal, type Script } from '../doubles/openai-compat.ts'
import { type Body, startStage, weather } from './stage.ts'

const fine = answer({ text: 'Fine.' })
const called = answer({ calls: [{ name: 'get_weather', arguments: '{"city":"Paris"}' }] })
const textOf = (body: Body) => JSON.stringify(body['messages'])

/** A service that minds a word in a message, and quotes the message. */
function quoting(rest: Script): (body: Body) => Script {
  return (body) => {
    const [last] = (body['messages'] as readonly { content: string }[]).slice(-1)
    if (!textOf(body).includes('forbidden')) return rest
    return refusal(400, { error: { message: `Not allowed here: "${last?.content}"`, type: 'invalid_request_error' } })
  }
}

const quotations: readonly [string, string][] = [
  ['does not support tools', 'a forbidden word; and why is it that a model does not support tools?'],
  ["unsupported parameter: 'temperature'", "forbidden: unsupported parameter: 'temperature'"],
  ['a refusal in JSON', 'forbidden {"error":{"code":"unsupported_parameter","param":"temperature"}}'],
  ['the words of a template', 'forbidden, chat template error: roles must alternate'],
]

test.each(quotations)('a refusal that quotes %s of one client teaches nothing about another', async (_, content) => {
  const { ask, bodies } = await startStage(quoting(called))
  const refused = await ask({ messages: [{ role: 'user', content }], tools: [weather], temperature: 0.5 })
  expect(refused.status).toBe(400)
  const before = bodies().length
  const { headers, json } = await ask({ tools: [weather], temperature: 0.5 })
  expect([headers['x-dragoman-mode'], json.choices[0].finish_reason]).toEqual(['native', 'tool_calls'])
  expect(bodies().slice(before)).toMatchObject([{ temperature: 0.5, tools: [weather] }])
})

test('what another try does not confirm is not learnt', async () => {
  const minds = refusal(400, { error: { message: "Unknown parameter: 'temperature'." } })
  const { ask, bodies } = await startStage([minds, refusal(400, { error: { message: 'No.' } }), fine])
  expect((await ask({ temperature: 0.5 })).status).toBe(400)
  expect((await ask({ temperature: 0.5 })).status).toBe(200)
  expect(bodies().map((body) => 'temperature' in body)).toEqual([true, false, true])
})

test('tools that are refused are learnt about once words did it', async () => {
  const none = refusal(400, { error: { message: 'm does not support tools' } })
  const dead = refusal(500, { error: { message: 'out of memory' } })
  const { ask, bodies } = await startStage([none, dead, none, fine, fine])
  expect((await ask({ tools: [weather] })).status).toBe(502)
  expect((await ask({ tools: [weather] })).headers['x-dragoman-mode']).toBe('prompt')
  expect((await ask({ tools: [weather] })).headers['x-dragoman-mode']).toBe('prompt')
  expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, true, false, false])
})

test('who asks in the very words of the refusal is answered all the same, and nobody else is concerned', async () => {
  const respond = (body: Body) =>
    'tools' in body ? refusal(400, { error: { message: 'm does not support tools' } }) : fine
  const { ask, bodies } = await startStage(respond)
  const messages = [{ role: 'user', content: 'What does "m does not support tools" mean?' }]
  expect((await ask({ messages, tools: [weather] })).headers['x-dragoman-mode']).toBe('prompt')
  await ask({ tools: [weather] })
  await ask({ tools: [weather] })
  expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, true, false, false])
})

test('tools that one key may not use are not refused to another', async () => {
  const respond = (body: Body, headers: Readonly<Record<string, unknown>>) =>
    'tools' in body && headers['authorization'] === 'Bearer key-of-ada'
      ? refusal(404, { error: { code: 404, message: 'No endpoints found that support tool use.' } })
      : fine
  const { ask, bodies } = await startStage(respond, { upstream: { key: 'passthrough' } })
  const as = (key: string) => ask({ tools: [weather] }, { authorization: `Bearer ${key}` })
  for (const key of ['key-of-ada', 'key-of-bob', 'key-of-ada']) await as(key)
  expect(bodies().map((body) => 'tools' in body)).toEqual([true, false, true, false])
})

test('a service that minds one field after the other gets what it takes', async () => {
  const minded = ['seed', 'user', 'temperature']
  const respond = (body: Body) => {
    const field = minded.find((name) => name in body)
    return field === undefined ? fine : refusal(400, { error: { message: `Unknown parameter: '${field}'.` } })
  }
  const { ask, bodies } = await startStage(respond)
  const wish = { seed: 1, user: 'me', temperature: 0.5 }
  expect((await ask(wish)).status).toBe(200)
  expect((await ask(wish)).status).toBe(200)
  expect(bodies()).toHaveLength(5)
})

test('what one key may not send, another may', async () => {
  const respond = (body: Body, headers: Readonly<Record<string, unknown>>) =>
    'seed' in body && headers['authorization'] === 'Bearer key-of-ada'
      ? refusal(400, { error: { message: "Unsupported parameter: 'seed'." } })
      : fine
  const { ask, bodies } = await startStage(respond, { upstream: { key: 'passthrough' } })
  const as = (key: string) => ask({ seed: 1 }, { authorization: `Bearer ${key}` })
  await as('key-of-ada')
  await as('key-of-bob')
  await as('key-of-ada')
  expect(bodies().map((body) => 'seed' in body)).toEqual([true, false, true, false])
})

test.each([true, false])(
  'logprobs that a service does not tell of streamed calls are left out, streaming: %s',
  async (stream) => {
    const respond = (body: Body) => {
      if (body['logprobs'] === true && 'tools' in body) {
        return refusal(400, {
          error: { code: 400, message: 'logprobs is not supported with tools + stream', type: 'invalid_request_error' },
        })
      }
      if ('top_logprobs' in body && !('logprobs' in body)) {
        return refusal(400, { error: { code: 400, message: 'top_logprobs requires logprobs to be set to true' } })
      }
      return 'tools' in body ? called : fine
    }
    const { ask, bodies } = await startStage(respond, { upstream: { flavour: 'llamacpp' }, model: { tools: 'native' } })
    const wish = { stream, logprobs: true, top_logprobs: 2 }
    expect((await ask({ ...wish, tools: [weather] })).text).toContain('get_weather')
    await ask({ ...wish, tools: [weather] })
    await ask(wish)
    // The third knows; the last has no tools, and so keeps them.
    expect(bodies().map(({ top_logprobs: wanted }) => wanted)).toEqual([2, undefined, undefined, 2])
  },
)
