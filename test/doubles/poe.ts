import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One event of a bot's answer; a string is sent as it is. */
export type PoeEvent = readonly [event: string, data: unknown] | string

export interface PoeScript {
  readonly status?: number
  readonly events: readonly PoeEvent[]
  /** After the last event: end the response or keep it open. Default `end`. */
  readonly ending?: 'end' | 'hang'
}

export interface PoeRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export interface PoeDouble {
  /** Up to and including `/bot`. */
  readonly url: string
  readonly requests: readonly PoeRequest[]
  readonly aborts: number
  close(): Promise<void>
}

/** An answer in these pieces, with everything around it that a client has to ignore. */
export function says(...pieces: readonly string[]): PoeScript {
  return {
    events: [
      ['meta', { content_type: 'text/markdown', linkify: true, suggested_replies: false }],
      ...pieces.flatMap((piece): PoeEvent[] => [
        ['text', { text: piece }],
        ['ping', {}],
      ]),
      ['suggested_reply', { text: 'Tell me more' }],
      ['data', { metadata: 'kept by the bot' }],
      ['done', {}],
    ],
  }
}

/** Bots that answer by a script each, in order; the last one plays for ever. */
export async function startPoeDouble(scripts: readonly PoeScript[]): Promise<PoeDouble> {
  const requests: PoeRequest[] = []
  let aborts = 0
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { url: path = '', headers } = incoming
    const script = scripts[Math.min(requests.length, scripts.length - 1)]
    requests.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
    response.once('close', () => {
      if (!response.writableFinished) aborts += 1
    })
    if (script?.status !== undefined) {
      response.writeHead(script.status, { 'content-type': 'text/plain' })
      response.end(script.events.join(''))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of script?.events ?? []) {
      if (response.destroyed) return
      await new Promise((resolve) => response.write(toWire(event), resolve))
      // A turn of the loop, so that the reader gets each write in a read of its own.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (script?.ending !== 'hang') response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bot`,
    requests,
    get aborts() {
      return aborts
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function toWire(event: PoeEvent): string {
  if (typeof event === 'string') return event
  const [name, data] = event
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
