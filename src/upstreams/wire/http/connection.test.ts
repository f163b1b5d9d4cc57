import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { cert, key } from '../../../../test/doubles/certificate.ts'
import { until } from '../../../../test/until.ts'
import type { Taker } from '../../../protocol/flow.ts'
import { type ExchangeRequest, headOf, readText } from '../exchange.ts'
import { createPool } from '../pool.ts'

const timeouts = { connectMs: 300, firstEventMs: 1000, idleMs: 1000, totalMs: 1000 }
const request: ExchangeRequest = { method: 'POST', path: '/', headers: {}, body: 'x' }
const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

interface Stage {
  /** Is told of each connection. */
  readonly serve: (socket: Socket, connection: number) => void
  readonly host?: string
  readonly isSecure?: boolean
  /** What is written in the address. */
  readonly scheme?: 'http' | 'https'
}

async function start({ serve, host = '127.0.0.1', isSecure = false, scheme = isSecure ? 'https' : 'http' }: Stage) {
  const sockets: Socket[] = []
  const open = (socket: Socket): void => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    serve(socket, sockets.length)
  }
  const server = isSecure
    ? createSecureServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'] }, open)
    : createServer(open)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const name = isSecure ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const pool = createPool(new URL(`${scheme}://${name}:${port}`), timeouts)
  onTestFinished(async () => {
    await pool.destroy()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const openOne = (asked: ExchangeRequest = request, signal = new AbortController().signal) => pool.open(asked, signal)
  async function ask(asked?: ExchangeRequest): Promise<string> {
    const exchange = openOne(asked)
    const { status } = await headOf(exchange)
    return `${status} ${(await readText(exchange, 1 << 20)).text}`
  }
  return { ask, open: openOne, sockets }
}

/** For this test, the certificate is one to be trusted. */
function trust(): void {
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
}

test('bytes after an answer are never the answer to the next request', async () => {
  const { ask, sockets } = await start({
    serve: (socket, connection) =>
      socket.on('data', () => void socket.write(answer(`real ${connection}`) + answer('forged'))),
  })
  expect([await ask(), await ask()]).toEqual(['200 real 1', '200 real 2'])
  expect(sockets).toHaveLength(2)
})

test('bytes that come unasked are never the answer to the next request', async () => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => socket.on('data', () => void socket.write(answer(`real ${connection}`))),
  })
  expect(await ask()).toBe('200 real 1')
  sockets[0]?.write(answer('forged'))
  await until(() => sockets[0]?.closed === true)
  expect(await ask()).toBe('200 real 2')
})

test.each<[string, (socket: Socket) => void]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
])('a connection that a service %s while nobody uses it is not used again', async (_, leave) => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => socket.on('data', () => void socket.write(answer(`real ${connection}`))),
  })
  expect(await ask()).toBe('200 real 1')
  for (const socket of sockets) leave(socket)
  await until(() => sockets[0]?.closed === true)
  expect(await ask()).toBe('200 real 2')
})

test('a request that meets a reset on a used connection goes out once more, on a new one', async () => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => {
      let asked = 0
      socket.on('data', () => {
        asked += 1
        if (connection === 1 && asked === 2) socket.resetAndDestroy()
        else socket.write(answer(`from ${connection}`))
      })
    },
  })
  expect([await ask(), await ask()]).toEqual(['200 from 1', '200 from 2'])
  expect(sockets).toHaveLength(2)
})

test('a request that was answered in part is not sent again', async () => {
  const { ask, sockets } = await start({
    serve: (socket) => {
      let asked = 0
      socket.on('data', () => {
        asked += 1
        if (asked === 1) socket.write(answer('whole'))
        else socket.write('HTTP/1.1 200 OK\r\ncontent-le', () => socket.destroy())
      })
    },
  })
  expect(await ask()).toBe('200 whole')
  await expect(ask()).rejects.toThrow()
  expect(sockets).toHaveLength(1)
})

test('an answer that comes before the request was sent is heard, and its connection not used again', async () => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => {
      if (connection > 1) socket.on('data', () => void socket.write(answer('next')))
      else socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno'))
    },
  })
  expect(await ask({ ...request, body: new Uint8Array(32 << 20) })).toBe('413 no')
  expect(await ask()).toBe('200 next')
  expect(sockets).toHaveLength(2)
})

test.each([false, true])(
  'a service is not read further than anybody wants, and then to the end (TLS: %s)',
  async (isSecure) => {
    trust()
    const whole = 64 << 20
    const { open, sockets } = await start({
      isSecure,
      serve: (socket) =>
        socket.once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${whole}\r\n\r\n`)
          socket.write(Buffer.alloc(whole))
        }),
    })
    const exchange = open()
    await headOf(exchange)
    // Nobody asks for a byte: what the kernel and the exchange may hold is all that leaves.
    let before = -1
    await until(() => {
      const stands = sockets[0]?.writableLength === before
      before = sockets[0]?.writableLength ?? 0
      return stands
    })
    expect(before).toBeGreaterThan(whole / 2)
    let read = 0
    await new Promise<void>((resolve, reject) => {
      const taker: Taker<Uint8Array> = {
        take(bytes) {
          if (bytes === undefined) return resolve()
          read += bytes.byteLength
          exchange.pull(taker)
        },
        lose: reject,
      }
      exchange.pull(taker)
    })
    expect(read).toBe(whole)
  },
)

test.each<[string, (socket: Socket) => void]>([
  ['before a word', () => undefined],
  ['inside its head', (socket) => void socket.write('HTTP/1.1 200')],
  ['inside its body', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
])('an abort closes the connection %s', async (_, say) => {
  const { open, sockets } = await start({ serve: (socket) => socket.on('data', () => say(socket)) })
  const controller = new AbortController()
  const exchange = open(request, controller.signal)
  await until(() => (sockets[0]?.bytesRead ?? 0) > 0)
  controller.abort(new Error('enough'))
  await until(() => sockets[0]?.closed === true)
  await expect(new Promise((take, lose) => exchange.pull({ take, lose }))).rejects.toThrow('enough')
})

test.each<[string, Partial<ExchangeRequest>]>([
  ['a line end in a header', { headers: { 'x-a': 'b\r\nx-c: d' } }],
  ['a line feed in a header', { headers: { 'x-a': 'b\nx-c: d' } }],
  ['a line end in the name of a header', { headers: { 'x-a: b\r\nx-c': 'd' } }],
  ['letters that no header has', { headers: { 'x-a': 'schlüssel €' } }],
  ['a blank in the path', { path: '/a HTTP/1.1\r\nx-c: d' }],
  ['no path', { path: 'http://elsewhere/' }],
])('a request with %s is not sent', async (_, odd) => {
  const { ask, sockets } = await start({
    serve: (socket) => socket.on('data', () => void socket.write(answer('sent'))),
  })
  await expect(ask({ ...request, ...odd })).rejects.toThrow('not valid')
  expect(await ask()).toBe('200 sent')
  await until(() => sockets.filter(({ closed }) => !closed).length === 1)
  expect(sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)).toBeLessThan(100)
})

test('a service that takes no connection in time is given up', async () => {
  const { ask } = await start({ serve: () => undefined, scheme: 'https' })
  await expect(ask()).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
})

test('https where http is spoken is told as what it is', async () => {
  const { ask } = await start({
    scheme: 'https',
    serve: (socket) => socket.on('data', () => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
  })
  await expect(ask()).rejects.toMatchObject({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
})

test('IPv6', async () => {
  const { ask } = await start({
    host: '::1',
    serve: (socket) =>
      socket.on('data', (bytes) => void socket.write(answer(/host: .*/.exec(String(bytes))?.[0] ?? ''))),
  })
  expect(await ask()).toMatch(/^200 host: \[::1\]:\d+$/)
})

test('TLS: a certificate has to be trusted, and the service is told whom it is asked for and that it is HTTP/1.1', async () => {
  const heard: unknown[] = []
  const { ask, sockets } = await start({
    isSecure: true,
    serve: (socket) => {
      if (socket instanceof TLSSocket) heard.push(socket.servername, socket.alpnProtocol)
      socket.on('data', () => void socket.write(answer('safe')))
    },
  })
  await expect(ask()).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  trust()
  expect([await ask(), await ask()]).toEqual(['200 safe', '200 safe'])
  expect(heard.slice(-2)).toEqual(['localhost', 'http/1.1'])
  expect(sockets.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(1)
})
