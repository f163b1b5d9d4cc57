import { expect, test } from 'vitest'
import { examineProxy } from './machine.ts'

test.each([
  [{}, ['https://models.example/v1'], 'No proxy is set.'],
  [{ HTTPS_PROXY: 'http://proxy:3128' }, ['http://127.0.0.1:8000/v1'], 'Your servers are local'],
  [{ HTTPS_PROXY: 'http://proxy:3128' }, ['https://models.example/v1'], 'reached through it'],
])('with %j and servers at %j it says: %s', (environment, urls, says) => {
  const terminal = { surroundings: { environment } } as unknown as Parameters<typeof examineProxy>[0]
  expect(examineProxy(terminal, urls)).toMatchObject({ verdict: 'good', says: expect.stringContaining(says) })
})
