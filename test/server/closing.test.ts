import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { ask, askRaw, batches, chat, createManualClock, run, say, scriptTurns, stop } from './scripted.ts'

const turns = scriptTurns(() => batches([say('hi'), stop]))

test('it is not ready first, goes on accepting for the delay, and closes then', async () => {
  const clock = createManualClock()
  const { gateway, port } = await run({ turns, clock, timeouts: { drainDelayMs: 5000, drainMs: 1000 } })
  let isClosed = false
  const closed = gateway.close().then(() => {
    isClosed = true
  })
  const ready = await ask(port, { method: 'GET', path: '/readyz' })
  expect([ready.status, ready.json.error.code]).toEqual([503, 'draining'])
  const answered = await ask(port)
  expect([answered.status, answered.headers.connection]).toEqual([200, 'close'])
  clock.advance(4999)
  expect((await ask(port)).status).toBe(200)
  expect(isClosed).toBe(false)
  clock.advance(1)
  await closed
  await expect(ask(port)).rejects.toThrow('ECONNREFUSED')
})

test('to close again waits for the same end', async () => {
  const clock = createManualClock()
  const { gateway } = await run({ turns, clock, timeouts: { drainDelayMs: 5000 } })
  const both = [gateway.close(), gateway.close()]
  clock.advance(5000)
  await Promise.all(both)
})

test('a kept connection that asks while it closes is sent elsewhere', async () => {
  const release: (() => void)[] = []
  const slow = scriptTurns(async function* () {
    await new Promise<void>((resolve) => release.push(resolve))
    yield [say('hi'), stop]
  })
  const { gateway, port } = await run({ turns: slow, timeouts: { drainMs: 5000 } })
  const body = JSON.stringify(chat)
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const socket = connect(port, '127.0.0.1', () => socket.write(head + body))
  let said = ''
  socket.on('data', (piece) => (said += piece))
  await expect.poll(() => release.length).toBe(1)
  const closed = gateway.close()
  await Promise.resolve()
  socket.write(head + body)
  release[0]?.()
  await expect.poll(() => said).toContain('"code":"draining"')
  expect(said).toMatch(/HTTP\/1.1 200[\s\S]*HTTP\/1.1 503[\s\S]*retry-after: 1/i)
  socket.destroy()
  await closed
})

test('what is short of memory says so in the shape of the door', async () => {
  const overload = {
    check: () => {
      throw new GatewayError('overloaded', 'short of memory', { retryAfterSeconds: 2 })
    },
  }
  const { gateway, port } = await run({ turns, overload })
  const refused = await ask(port)
  expect([refused.status, refused.headers['retry-after'], refused.json.error.code]).toEqual([503, '2', 'overloaded'])
  expect((await ask(port, { method: 'GET', path: '/livez' })).status).toBe(200)
  await gateway.close()
})

test.each([
  [{ depth: 8 }, '['.repeat(7) + ']'.repeat(7), 200],
  [{ depth: 8 }, '['.repeat(9) + ']'.repeat(9), 400],
  [{ depth: 200 }, '['.repeat(190) + ']'.repeat(190), 200],
])('with %j, %s is answered with %d', async (limits, nested, status) => {
  const { gateway, port } = await run({ turns, limits })
  const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"x":${nested}}`
  expect((await ask(port, { body })).status).toBe(status)
  await gateway.close()
})

test('headers may be as large as the config says', async () => {
  const { gateway, port } = await run({ turns, limits: { headersBytes: 32 << 10 } })
  const asking = (bytes: number) =>
    askRaw(port, `GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ${'y'.repeat(bytes)}\r\n\r\n`)
  expect(await asking(24 << 10)).toMatch(/^HTTP\/1.1 200/)
  expect(await asking(40 << 10)).toMatch(/^HTTP\/1.1 431/)
  await gateway.close()
})
