import { expect, onTestFinished, test } from 'vitest'
import { answer, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { startGateway } from '../dragoman.ts'

test.each<[string, readonly string[], Record<string, string>, string | undefined]>([
  ['no keys here: the client comes with its own', [], { authorization: 'Bearer sk-mine' }, 'Bearer sk-mine'],
  ['keys here: they stay here', ['gate'], { authorization: 'Bearer gate' }, undefined],
  [
    'keys here, and one for the service beside it',
    ['gate'],
    { 'x-api-key': 'gate', 'x-dragoman-upstream-key': 'sk-mine' },
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
    headers,
    body: JSON.stringify({ model: 'double', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(response.status).toBe(200)
  const asked = double.requests.filter(({ method }) => method === 'POST')
  expect(asked.map(({ headers: got }) => got.authorization)).toEqual([sent])
})
