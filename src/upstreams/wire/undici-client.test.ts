import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { cert, key } from '../../../test/doubles/certificate.ts'
import { until } from '../../../test/until.ts'
import { type HttpRequest, readText } from './http.ts'
import { createHttpClient } from './undici-client.ts'

const request: HttpRequest = { method: 'POST', path: '/', headers: {}, body: 'x' }
const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

interface Stage {
  /** Is told of each connection. */
  readonly serve: (socket: Socket, connection: number) => void
  readonly host?: string
  readonly isSecure?: boolean
  /** What is written in the address. */
  readonly scheme?: 'http' | 'https'
  readonly ca?: string
}

async function start({ serve, host = '127.0.0.1', isSecure = false, scheme = isSecure ? 'https' : 'http', ca }: Stage) {
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
  const client = createHttpClient(new URL(`${scheme}://${name}:${port}`), { connectMs: 300, ca })
  onTestFinished(async () => {
    await client.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const send = (asked: HttpRequest = request, signal = new AbortController().signal) => client.send(asked, signal)
  async function ask(asked?: HttpRequest): Promise<string> {
    const { status, body } = await send(asked)
    const text = await readText(body, 1 << 20)
    // Undici waits for a turn before it uses a connection again.
    await turn()
    return `${status} ${text}`
  }
  return { ask, send, sockets }
}

/** Calls back for every whole request: its head and its body may come apart. */
function onRequest(socket: Socket, answerIt: () => void): void {
  socket.on('data', (bytes) => {
    if (String(bytes).endsWith('x')) answerIt()
  })
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
      onRequest(socket, () => void socket.write(answer(`real ${connection}`) + answer('forged'))),
  })
  expect([await ask(), await ask()]).toEqual(['200 real 1', '200 real 2'])
  expect(sockets).toHaveLength(2)
})

test('bytes that come unasked are never the answer to the next request', async () => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => onRequest(socket, () => void socket.write(answer(`real ${connection}`))),
  })
  expect(await ask()).toBe('200 real 1')
  sockets[0]?.write(answer('forged'))
  await until(() => sockets[0]?.closed === true)
  expect(await ask()).toBe('200 real 2')
})

test.each<[string, (socket: Socket) => void]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
])('a connection that a service %s while it is idle is not used again', async (_, leave) => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => onRequest(socket, () => void socket.write(answer(`real ${connection}`))),
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
      onRequest(socket, () => {
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
      onRequest(socket, () => {
        asked += 1
        if (asked === 1) socket.write(answer('whole'))
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nha', () => socket.destroy())
      })
    },
  })
  expect(await ask()).toBe('200 whole')
  await expect(ask()).rejects.toThrow()
  expect(sockets).toHaveLength(1)
})

test('an answer that comes before the request was sent is heard', async () => {
  const { ask, sockets } = await start({
    serve: (socket, connection) => {
      if (connection > 1) onRequest(socket, () => void socket.write(answer('next')))
      else
        socket.once('data', () =>
          socket.pause().write('HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno'),
        )
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
    const { send, sockets } = await start({
      isSecure,
      serve: (socket) =>
        socket.once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${whole}\r\n\r\n`)
          socket.write(Buffer.alloc(whole))
        }),
    })
    const { body } = await send()
    // Nobody asks for a byte: what the kernel and the client may hold is all that leaves.
    let before = -1
    await until(() => {
      const stands = sockets[0]?.writableLength === before
      before = sockets[0]?.writableLength ?? 0
      return stands
    })
    expect(before).toBeGreaterThan(whole / 2)
    let read = 0
    for await (const bytes of body) read += bytes.byteLength
    expect(read).toBe(whole)
  },
)

test.each<[string, (socket: Socket) => void]>([
  ['before a word', () => undefined],
  ['inside its head', (socket) => void socket.write('HTTP/1.1 200')],
  ['inside its body', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
])('an abort closes the connection %s', async (_, say) => {
  const { send, sockets } = await start({ serve: (socket) => socket.on('data', () => say(socket)) })
  const controller = new AbortController()
  const answered = send(request, controller.signal).then(({ body }) => readText(body))
  answered.catch(() => undefined)
  await until(() => (sockets[0]?.bytesRead ?? 0) > 0)
  controller.abort(new Error('enough'))
  await until(() => sockets[0]?.closed === true)
  await expect(answered).rejects.toThrow('enough')
})

test.each<[string, Partial<HttpRequest>]>([
  ['a line end in a header', { headers: { 'x-a': 'b\r\nx-c: d' } }],
  ['a line feed in a header', { headers: { 'x-a': 'b\nx-c: d' } }],
  ['a line end in the name of a header', { headers: { 'x-a: b\r\nx-c': 'd' } }],
  ['letters that no header has', { headers: { 'x-a': 'schlüssel €' } }],
  ['a blank in the path', { path: '/a HTTP/1.1\r\nx-c: d' }],
])('a request with %s is not sent', async (_, odd) => {
  const { ask, sockets } = await start({
    serve: (socket) => onRequest(socket, () => void socket.write(answer('sent'))),
  })
  await expect(ask({ ...request, ...odd })).rejects.toMatchObject({ code: 'UND_ERR_INVALID_ARG' })
  expect(await ask()).toBe('200 sent')
  await until(() => sockets.filter(({ closed }) => !closed).length === 1)
  expect(sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)).toBeLessThan(100)
})

test('a service that takes no connection in time is given up', async () => {
  const { ask } = await start({ serve: () => undefined, scheme: 'https' })
  await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' })
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
      onRequest(socket, () => void socket.write(answer('safe')))
    },
  })
  await expect(ask()).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  trust()
  expect([await ask(), await ask()]).toEqual(['200 safe', '200 safe'])
  expect(heard.slice(-2)).toEqual(['localhost', 'http/1.1'])
  expect(sockets.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(1)
})

test('a service that closes new connections is asked once', async () => {
  const { ask, sockets } = await start({ serve: (socket) => socket.once('data', () => socket.destroy()) })
  await expect(ask()).rejects.toThrow()
  expect(sockets).toHaveLength(1)
})

test('what one read of the socket brings is one item, however many chunks it has', async () => {
  const chunks = `${'1\r\na\r\n'.repeat(50)}0\r\n\r\n`
  const { send } = await start({
    serve: (socket) =>
      onRequest(socket, () => void socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`)),
  })
  const { body } = await send()
  const items: string[] = []
  for await (const bytes of body) items.push(String(bytes))
  expect(items).toEqual(['a'.repeat(50)])
})

test('a body that is left is not read to its end, and its connection not used again', async () => {
  const { send, sockets } = await start({
    serve: (socket) => onRequest(socket, () => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')),
  })
  const { body } = await send()
  for await (const _ of body) break
  await until(() => sockets[0]?.closed === true)
})

test('certificates of the configuration are trusted beside those Node trusts', async () => {
  const { ask } = await start({
    isSecure: true,
    ca: cert,
    serve: (socket) => onRequest(socket, () => void socket.write(answer('safe'))),
  })
  expect(await ask()).toBe('200 safe')
})
