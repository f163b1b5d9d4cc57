import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** One request of an agent and every byte it was answered with. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly asked: unknown
  readonly userAgent: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly answered: string
  /** The client hung up before the answer was over. */
  readonly aborted: boolean
  readonly startedMs: number
  readonly endedMs: number
}

/**
 * Stands between agents and a gateway, changes nothing and remembers everything. The first part of the path says whose
 * exchange it is: an agent is given `urlFor(name)` as its base URL.
 */
export async function startRecorder(gateway: string) {
  const target = new URL(gateway)
  const exchanges = new Map<string, Exchange[]>()
  const sockets = new Map<string, number>()

  const server = createServer((incoming, response) => {
    const [, run = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? []
    const startedMs = performance.now()
    const asked: Buffer[] = []
    const answered: Buffer[] = []
    let status = 0
    let headers: IncomingHttpHeaders = {}
    const onward = request({
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: rest,
      headers: { ...incoming.headers, host: target.host },
    })
    incoming.on('data', (bytes: Buffer) => void asked.push(bytes)).pipe(onward)
    onward.on('response', (back) => {
      status = back.statusCode ?? 0
      headers = back.headers
      response.writeHead(status, back.rawHeaders)
      response.flushHeaders()
      back.on('data', (bytes: Buffer) => void answered.push(bytes)).pipe(response)
      back.on('error', () => response.destroy())
      back.on('close', () => back.complete || response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => {
      onward.destroy()
      const list = exchanges.get(run) ?? []
      exchanges.set(run, list)
      list.push({
        method: incoming.method ?? '',
        path: rest,
        asked: parseOr(Buffer.concat(asked).toString('utf8')),
        userAgent: incoming.headers['user-agent'] ?? '',
        status,
        headers,
        answered: Buffer.concat(answered).toString('utf8'),
        aborted: !response.writableFinished,
        startedMs,
        endedMs: performance.now(),
      })
    })
  })
  // A WebSocket goes through as it is; that there was one is remembered.
  server.on('upgrade', (incoming, socket: Socket, head: Buffer) => {
    const [, run = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? []
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${target.host}`]
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      const name = incoming.rawHeaders[at] ?? ''
      if (!/^host$/i.test(name)) lines.push(`${name}: ${incoming.rawHeaders[at + 1]}`)
    }
    sockets.set(run, (sockets.get(run) ?? 0) + 1)
    const onward = connect(Number(target.port), target.hostname)
    onward.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
    socket.pipe(onward).pipe(socket)
    for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo

  return {
    urlFor: (run: string) => `http://127.0.0.1:${port}/${run}/v1`,
    exchangesOf: (run: string): readonly Exchange[] => exchanges.get(run) ?? [],
    /** How many WebSockets it opened. */
    socketsOf: (run: string): number => sockets.get(run) ?? 0,
    /** Over all runs. */
    count() {
      const all = [...exchanges.values()].flat()
      return { asked: all.length, refused: all.filter(({ status }) => status >= 400).length }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
