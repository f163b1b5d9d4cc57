import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { headOf, readText } from './exchange.ts'
import { createPool } from './pool.ts'

const timeouts = { connectMs: 1000, firstEventMs: 1000, idleMs: 1000, totalMs: 1000 }

/** A server whose connections each answer so many requests and close, without a word, at the next. */
async function startForgetful(answersEach: number) {
  let connections = 0
  let requests = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    let answered = 0
    socket.on('error', () => undefined)
    socket.on('data', () => {
      requests += 1
      if (++answered > answersEach) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const pool = createPool(new URL(`http://127.0.0.1:${port}`), timeouts)
  onTestFinished(async () => {
    await pool.destroy()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const ask = async () => {
    const request = { method: 'POST', path: '/', headers: {}, body: 'x' } as const
    const exchange = pool.open(request, new AbortController().signal)
    await headOf(exchange)
    return (await readText(exchange, 100)).text
  }
  return { ask, count: () => ({ connections, requests }) }
}

test('a connection that was closed since it was last used is replaced by another', async () => {
  const { ask, count } = await startForgetful(1)
  expect([await ask(), await ask(), await ask()]).toEqual(['ok', 'ok', 'ok'])
  expect(count().connections).toBe(3)
})

test('a service that closes new connections is asked once', async () => {
  const { ask, count } = await startForgetful(0)
  await expect(ask()).rejects.toThrow()
  expect(count()).toEqual({ connections: 1, requests: 1 })
})
