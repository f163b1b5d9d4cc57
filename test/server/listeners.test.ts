import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chat, run, say, scriptTurns, stop } from './scripted.ts'

/** Node warns of an eleventh listener for the same event on one object. */
const warnings: string[] = []
const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`)
beforeAll(() => void process.on('warning', onWarning))
afterAll(() => void process.off('warning', onWarning))

function requestOf(body: object): string {
  const text = JSON.stringify({ ...chat, ...body })
  return `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}

const turns = scriptTurns(async function* () {
  for (let nth = 0; nth < 20; nth++) yield [say('x'.repeat(20_000))]
  yield [stop]
})

test('many requests on one connection leave no listeners behind', async () => {
  const { gateway, port } = await run({ turns })
  const socket = connect(port, '127.0.0.1')
  let said = ''
  const answers = () => said.split('data: [DONE]').length - 1
  socket.on('data', (piece) => (said += piece.toString('latin1')))
  for (let nth = 1; nth <= 15; nth++) {
    socket.write(requestOf({ stream: true }))
    await expect.poll(answers, { timeout: 10_000 }).toBe(nth)
  }
  socket.write(requestOf({ stream: true }).repeat(15))
  await expect.poll(answers, { timeout: 10_000 }).toBe(30)
  socket.destroy()
  await gateway.close()
  expect(warnings).toEqual([])
})

test('nor do many answers of one request, read slowly', async () => {
  const { gateway, port } = await run({ turns })
  const socket = connect(port, '127.0.0.1', () => socket.write(requestOf({ stream: true, n: 16 })))
  let length = 0
  socket.pause()
  await expect.poll(() => gateway.underWay).toBe(1)
  await new Promise((resolve) => setImmediate(resolve))
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (piece) => {
      length += piece.length
      if (piece.includes('[DONE]')) resolve()
    })
  })
  socket.resume()
  await ended
  expect(length).toBeGreaterThan(16 * 20 * 20_000)
  socket.destroy()
  await gateway.close()
  expect(warnings).toEqual([])
})

test('nor does a client that leaves with many requests under way', async () => {
  const { gateway, port } = await run({ turns })
  const socket = connect(port, '127.0.0.1', () => socket.write(requestOf({ stream: true }).repeat(15)))
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
  await expect.poll(() => gateway.underWay).toBe(0)
  await gateway.close()
  expect(warnings).toEqual([])
})
