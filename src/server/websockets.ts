import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Clock } from '../clock.ts'
import type { Door, SocketProtocol, SocketRequest, Store } from '../doors/door.ts'
import { withHeaders } from '../doors/serving/headers.ts'
import { GatewayError, toGatewayError } from '../errors.ts'
import { createMemory } from '../protocol/memory/memory.ts'

// Imported, all of `node:http` would be read, and with it Node's own `fetch`.
const http = process.getBuiltinModule('node:http')

const pingMs = 30_000
/** What a client has not taken of an answer, in bytes, before the answer waits for it. */
const mostWaiting = 256 << 10
/** What is kept for one connection, in characters. */
const mostKept = 32 << 20

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly door: Door
  readonly protocol: SocketProtocol
  readonly mostBytes: number
}

/** The WebSockets of a server. */
export interface WebSockets {
  accept(upgrade: Upgrade): Promise<void>
  /** What is kept for the connection that a request came over. */
  memoryOf(socket: Duplex): Store | undefined
  /** Closes those without an answer under way, and the others once they have none. */
  drain(): void
  terminate(): void
}

/**
 * A message becomes a request to the server itself, over a connection within the process: so keys, limits, quotas, recordings,
 * logs and draining are those of HTTP, and there is no second way to an answer.
 */
export function createWebSockets(server: Server, clock: Clock): WebSockets {
  const connections = new Set<{ close(): void; terminate(): void }>()
  const memories = new WeakMap<Duplex, Store>()
  let isDraining = false

  function serve(ws: WebSocket, { request, door, protocol }: Upgrade): void {
    const headers = headersFor(request.headers)
    const memory = createConnectionMemory()
    /** The answers under way, by lane. */
    const lanes = new Map<string, () => void>()
    let isAlive = true
    let cancelPing = clock.after(pingMs, ping)

    function ping(): void {
      if (!isAlive) return ws.terminate()
      isAlive = false
      ws.ping()
      cancelPing = clock.after(pingMs, ping)
    }

    const connection = {
      close() {
        if (lanes.size === 0) ws.close(1001, 'The gateway is shutting down.')
      },
      terminate: () => ws.terminate(),
    }
    connections.add(connection)

    function refuse(thrown: unknown, lane: string): void {
      const error = toGatewayError(thrown)
      ws.send(protocol.printFailure(withHeaders(door.printError(error, ''), error), lane))
    }

    function receive(message: string): void {
      let asked: SocketRequest
      try {
        asked = protocol.read(message)
      } catch (thrown) {
        return refuse(thrown, '')
      }
      const { lane } = asked
      if (lanes.has(lane)) {
        const remedy = 'Wait for its end, or open another connection.'
        return refuse(new GatewayError('invalid_request', `A response is still under way here. ${remedy}`), lane)
      }
      const [near, far] = duplexPair()
      memories.set(far, memory)
      lanes.set(lane, () => {
        near.destroy()
        far.destroy()
      })
      server.emit('connection', far)
      ask(near, headers, asked)
        .then((response) => relay(response, ws, asked, protocol))
        .catch((cause: unknown) => {
          if (ws.readyState === ws.OPEN)
            refuse(new GatewayError('internal_error', 'The answer broke off.', { cause }), lane)
        })
        .finally(() => {
          lanes.delete(lane)
          if (isDraining) connection.close()
        })
    }

    ws.on('message', (data, isBinary) => {
      if (isBinary) refuse(new GatewayError('invalid_request', 'Send messages as text.'), '')
      else receive(String(data))
    })
    ws.on('pong', () => {
      isAlive = true
    })
    // A frame that cannot be read, or is too large: `ws` tells the client, and closes.
    ws.on('error', () => undefined)
    ws.on('close', () => {
      cancelPing()
      connections.delete(connection)
      for (const cancel of lanes.values()) cancel()
    })
  }

  return {
    async accept(upgrade) {
      const { request, socket, head, mostBytes } = upgrade
      const { WebSocketServer } = await import('ws')
      if (socket.destroyed) return
      const handshake = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: mostBytes })
      handshake.handleUpgrade(request, socket, head, (ws) => serve(ws, upgrade))
    },
    memoryOf: (socket) => memories.get(socket),
    drain() {
      isDraining = true
      for (const connection of connections) connection.close()
    },
    terminate() {
      for (const connection of connections) connection.terminate()
    },
  }
}

/** The request of a message, over one end of a connection whose other end is the server's. */
function ask(near: Duplex, headers: IncomingHttpHeaders, { path, body }: SocketRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body)
    const request = http.request({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
      createConnection: () => near,
    })
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body)
  })
}

async function relay(
  response: IncomingMessage,
  ws: WebSocket,
  asked: SocketRequest,
  protocol: SocketProtocol,
): Promise<void> {
  response.setEncoding('utf8')
  const { statusCode: status = 500, headers } = response
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  let pending = ''
  for await (const piece of response as AsyncIterable<string>) {
    pending += piece
    if (!isStream) continue
    // The events are our own: each is a name, a line of data and an empty line. Comments have no data.
    const events = pending.split('\n\n')
    pending = events.pop() ?? ''
    for (const event of events) {
      const at = event.indexOf('data: ')
      if (at !== -1) ws.send(asked.print(event.slice(at + 6)))
    }
    if (ws.bufferedAmount > mostWaiting) await taken(ws)
  }
  if (isStream) return
  const wait = headers['retry-after']
  const failure = { status, body: pending, ...(wait !== undefined && { headers: { 'retry-after': wait } }) }
  ws.send(protocol.printFailure(failure, asked.lane))
}

/** Resolves once the client has taken what it was sent, or has gone. */
function taken(ws: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    ws.once('close', resolve)
    // An empty pong is ignored; its callback comes after all that was sent before it.
    ws.pong('', false, () => {
      ws.off('close', resolve)
      resolve()
    })
  })
}

/** Of the handshake alone, or of another body. */
const handshakeHeaders = /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|x-request-id|expect)$/

function headersFor(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !handshakeHeaders.test(name)))
}

function createConnectionMemory(): Store {
  const texts = createMemory<string>({
    entries: 10_000,
    characters: mostKept,
    sizeOf: (text, key) => text.length + key.length,
  })
  return {
    get: async (key) => texts.get(key),
    set: async (key, text) => texts.set(key, text),
    // What is forgotten last is forgotten with the connection.
    delete: async () => undefined,
  }
}

/** The head of an upgrade that is ignored, as it would have been without it: the server reads the request once more. */
export function answerPlainly(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  const { rawHeaders } = request
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
