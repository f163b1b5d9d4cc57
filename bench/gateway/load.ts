import { connect, type Socket } from 'node:net'
import { stampPattern } from './answers.ts'
import { microseconds, serveMeter } from './meter.ts'
import { bodyOf } from './requests.ts'
import { ResponseEnd } from './response.ts'

/** What the load generator is to send, and how. */
export interface Job {
  readonly port: number
  /** Requests under way at once. */
  readonly connections: number
  readonly requests: number
  readonly model: string
  readonly stream: boolean
  /** Every connection has a conversation of its own, which goes on from this turn with every request. */
  readonly fromTurn?: number
  readonly salt?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly length?: number
  /** What an answer has to have in it, or the figures are about something else. */
  readonly expects?: string
  /** Looks for the time in the events. */
  readonly stamped?: boolean
}

/** What came of it. */
export interface Outcome {
  readonly wallMicros: number
  readonly bytes: number
  /** From the first byte sent to the first byte back, each request's, in microseconds. */
  readonly firstBytes: readonly number[]
  /** From the service's write to its arrival here, each event's that told. */
  readonly delays: readonly number[]
  readonly failure?: string
}

const idle = new Map<number, Socket[]>()
const lastUsed = new Map<number, number>()
/** After so long a server may be about to close a connection. */
const longestIdleMicros = 2e6

process.on('message', (message: { readonly job?: Job }) => {
  if (message.job !== undefined) void run(message.job).then((outcome) => process.send?.({ outcome }))
})
serveMeter()
process.channel?.ref()

async function run(job: Job): Promise<Outcome> {
  const rounds = Math.ceil(job.requests / job.connections)
  const requests = Array.from({ length: job.connections }, (_, connection) =>
    job.fromTurn === undefined
      ? new Array<Buffer>(rounds).fill(requestOf(job, 0, ''))
      : Array.from({ length: rounds }, (_round, n) =>
          requestOf(job, (job.fromTurn ?? 0) + n, `${job.salt}-${connection}`),
        ),
  )
  if (microseconds() - (lastUsed.get(job.port) ?? 0) > longestIdleMicros) forget(job.port)
  const sockets = await Promise.all(requests.map(() => socketTo(job.port)))
  const found: Found = { bytes: 0, firstBytes: [], delays: [], first: '' }
  const start = microseconds()
  try {
    await Promise.all(
      sockets.map(async (socket, n) => {
        for (const request of requests[n] ?? []) await exchange(socket, request, job, found)
      }),
    )
  } catch (thrown) {
    for (const socket of sockets) socket.destroy()
    return { wallMicros: 0, bytes: 0, firstBytes: [], delays: [], failure: String(thrown) }
  }
  const wallMicros = microseconds() - start
  idle.set(job.port, [...(idle.get(job.port) ?? []), ...sockets])
  lastUsed.set(job.port, microseconds())
  const { first, ...outcome } = found
  const isRight = job.expects === undefined || first.includes(job.expects)
  return {
    ...outcome,
    wallMicros,
    ...(!isRight && { failure: `not the answer that was to come: ${first.slice(0, 2000)}` }),
  }
}

interface Found {
  bytes: number
  readonly firstBytes: number[]
  readonly delays: number[]
  /** The first answer, to be looked at. */
  first: string
}

function requestOf(job: Job, turns: number, salt: string): Buffer {
  const { model, stream, length = 0, headers = {} } = job
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const body = bodyOf({ model, stream, turns, salt, length })
  return Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more.join('')}\r\n${body}`,
  )
}

function forget(port: number): void {
  for (const socket of idle.get(port) ?? []) socket.destroy()
  idle.delete(port)
}

function socketTo(port: number): Promise<Socket> {
  const known = idle.get(port)?.filter(({ destroyed }) => !destroyed) ?? []
  const one = known.pop()
  idle.set(port, known)
  if (one !== undefined) return Promise.resolve(one)
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.off('error', reject)
      socket.on('error', () => socket.destroy())
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

function exchange(socket: Socket, request: Buffer, job: Job, found: Found): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = new ResponseEnd()
    const isFirst = found.firstBytes.length === 0
    const parts: Buffer[] = []
    let begun = false
    const sent = microseconds()

    function hear(bytes: Buffer): void {
      if (!begun) found.firstBytes.push(microseconds() - sent)
      begun = true
      found.bytes += bytes.length
      if (isFirst) parts.push(bytes)
      if (job.stamped === true) {
        const stamp = stampPattern.exec(bytes.toString('latin1'))?.[1]
        if (stamp !== undefined) found.delays.push((microseconds() % 1e12) - Number(stamp))
      }
      if (!end.feed(bytes)) return
      stop()
      if (isFirst) found.first = Buffer.concat(parts).toString()
      if (end.status === 200) resolve()
      else reject(new Error(`status ${end.status}: ${Buffer.concat(parts).toString()}`))
    }

    function fail(): void {
      stop()
      reject(new Error('the connection closed'))
    }

    function stop(): void {
      socket.off('data', hear)
      socket.off('close', fail)
    }

    socket.on('data', hear)
    socket.once('close', fail)
    socket.write(request)
  })
}
