import { expect, onTestFinished, test } from 'vitest'
import { answer, refusal, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { startGateway, untilSaid } from '../dragoman.ts'

test.each<[string, readonly string[], Record<string, string>, string | undefined]>([
  ['no keys here: the client comes with its own', [], { authorization: 'Bearer sk-mine' }, 'Bearer sk-mine'],
  ['keys here: they stay here', ['gate'], { authorization: 'Bearer gate' }, undefined],
  [
    'keys here, and one for the service beside it',
    ['gate'],
    { 'x-api-key': 'gate', 'x-dragoman-upstream-key': 'sk-mine' },
    'Bearer sk-mine',
  ],
  [
    'keys here, and one for the service written as it is sent',
    ['gate'],
    { 'x-api-key': 'gate', 'x-dragoman-upstream-key': 'Bearer sk-mine' },
    'Bearer sk-mine',
  ],
])('a service configured with passthrough: %s', async (_when, keys, headers, sent) => {
  const double = await startOpenAiDouble({ respond: [answer({ text: 'Hi.' })] })
  onTestFinished(double.close)
  const upstreams = { service: { kind: 'openai', url: double.url, key: 'passthrough' } }
  const gateway = await startGateway({ config: { keys, upstreams, models: { double: {} } } })
  onTestFinished(gateway.stop)
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'double', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(response.status).toBe(200)
  const asked = double.requests.filter(({ method }) => method === 'POST')
  expect(asked.map(({ headers: got }) => got.authorization)).toEqual([sent])
})

test('a key of the gateway does not reach the service, not even one that has been taken away', async () => {
  const double = await startOpenAiDouble({ respond: [answer({ text: 'Hi.' }), answer({ text: 'Hi.' })] })
  onTestFinished(double.close)
  const upstreams = { service: { kind: 'openai', url: double.url, key: 'passthrough' } }
  const config = { keys: ['gate'], upstreams, models: { double: {} } }
  const gateway = await startGateway({ config })
  onTestFinished(gateway.stop)
  const send = async (headers: Record<string, string>) => {
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer gate', ...headers },
      body: JSON.stringify({ model: 'double', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    return response.status
  }
  expect(await send({ 'x-dragoman-upstream-key': 'gate' })).toBe(400)
  const taken = untilSaid(gateway.child.stderr, /configuration loaded/)
  gateway.write('dragoman.yaml', JSON.stringify({ ...config, keys: [] }))
  await taken
  expect(await send({})).toBe(200)
  expect(await send({ 'x-dragoman-upstream-key': 'gate' })).toBe(400)
  const asked = double.requests.filter(({ method }) => method === 'POST')
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
  expect(JSON.stringify(double.requests)).not.toContain('gate')
})

test('a key in the query of an address is not repeated when the service quotes it', async () => {
  const words = 'No route for /v1/chat/completions?key=hunter2hunter2'
  const double = await startOpenAiDouble({ respond: [refusal(404, { error: { message: words } })] })
  onTestFinished(double.close)
  const upstreams = { service: { kind: 'openai', url: `${double.url}?key=hunter2hunter2` } }
  const gateway = await startGateway({ config: { upstreams, models: { double: {} } } })
  onTestFinished(gateway.stop)
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'double', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(double.requests.at(-1)?.path).toContain('hunter2hunter2')
  const text = await response.text()
  expect(text).toContain('No route for')
  expect(text).not.toContain('hunter2')
})
