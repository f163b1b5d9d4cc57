import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { cert, key } from '../../../test/doubles/certificate.ts'
import { readText } from './http.ts'
import { createHttpClient } from './undici-client.ts'

afterEach(() => vi.unstubAllEnvs())

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A service over TLS, as `localhost` and by any name that a proxy brings to it. */
function startService(): Promise<number> {
  return listen(createSecureServer({ key, cert }, (_, response) => void response.end('from the service')))
}

/** A proxy that opens tunnels to the service, whatever it is asked for, and forwards plain requests itself. */
async function startProxy(servicePort: number, answer = 'HTTP/1.1 200 Connection established\r\n\r\n') {
  const seen: string[] = []
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void seen.push([method, url, headers['proxy-authorization']].filter(Boolean).join(' '))
  const server = createServer((incoming, response) => {
    note(incoming)
    response.end('from the proxy')
  })
  server.on('connect', (incoming, client) => {
    note(incoming)
    client.on('error', () => undefined)
    if (!answer.includes('200')) return void client.end(answer)
    const socket = connect(servicePort, '127.0.0.1', () => {
      client.write(answer)
      client.pipe(socket).pipe(client)
    })
    socket.on('error', () => undefined)
  })
  return { port: await listen(server), seen }
}

async function ask(url: string, proxy?: string): Promise<string> {
  const client = createHttpClient(new URL(url), { connectMs: 1000, proxy, ca: cert })
  onTestFinished(() => client.close())
  const request = { method: 'POST', path: '/v1/chat/completions', headers: {}, body: '{}' } as const
  const { status, body } = await client.send(request, new AbortController().signal)
  return `${status} ${await readText(body)}`
}

test('a service is reached through a tunnel of its proxy, which is told its credentials and nothing of the request', async () => {
  const port = await startService()
  const proxy = await startProxy(port)
  expect(await ask(`https://localhost:${port}`, `http://ada:s3cret@127.0.0.1:${proxy.port}`)).toBe(
    '200 from the service',
  )
  expect(proxy.seen).toEqual([`CONNECT localhost:${port} Basic ${btoa('ada:s3cret')}`])
})

test('a service without TLS is asked by the proxy itself', async () => {
  const proxy = await startProxy(0)
  expect(await ask('http://models.example', `http://127.0.0.1:${proxy.port}`)).toBe('200 from the proxy')
  expect(proxy.seen).toEqual(['POST http://models.example/v1/chat/completions'])
})

test('without a proxy of its own, the environment says which one', async () => {
  const port = await startService()
  const proxy = await startProxy(port)
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy.port}`)
  expect(await ask('http://models.example')).toBe('200 from the proxy')
})

test('what NO_PROXY names, and this machine itself, is reached directly', async () => {
  const proxy = await startProxy(0)
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${proxy.port}`)
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy.port}`)
  vi.stubEnv('NO_PROXY', 'models.invalid')
  const port = await startService()
  expect(await ask(`https://localhost:${port}`)).toBe('200 from the service')
  await expect(ask('http://models.invalid')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect(proxy.seen).toEqual([])
})

test.each(['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'])(
  'a proxy that refuses is a service that cannot be reached: %j',
  async (answer) => {
    const port = await startService()
    const proxy = await startProxy(port, answer)
    await expect(ask(`https://localhost:${port}`, `http://127.0.0.1:${proxy.port}`)).rejects.toThrow(/Proxy/)
  },
)
