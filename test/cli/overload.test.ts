import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../dragoman.ts'

/** A heap so small that the program itself takes more than a hundredth of it. */
const environment = { NODE_OPTIONS: '--max-old-space-size=256' }
const body = JSON.stringify({ model: 'rehearsal', messages: [{ role: 'user', content: 'hi' }] })
const headers = { 'content-type': 'application/json' }

test('a program short of memory refuses requests, and lives', async () => {
  const gateway = await startGateway({ config: { limits: { heap_refuse: 1, heap_drain: 100 } }, environment })
  onTestFinished(gateway.stop)
  const refused = await fetch(`${gateway.origin}/v1/chat/completions`, { method: 'POST', headers, body })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } })
  expect((await fetch(`${gateway.origin}/livez`)).status).toBe(200)
}, 30_000)

test('one that stays full finishes what is under way, says why, and ends with 1', async () => {
  const gateway = await startGateway({ config: { limits: { heap_drain: 1 } }, environment })
  onTestFinished(gateway.stop)
  expect(await gateway.outcome).toMatchObject({
    code: 1,
    complaints: expect.stringContaining('Out of memory: finishing'),
  })
}, 30_000)
