import { createServer, type Socket } from 'node:net'
import { completion, type Script, scripts, stamp } from './answers.ts'
import { microseconds, serveMeter } from './meter.ts'

/**
 * The scripted model service, in a process of its own. It looks at as little of a request as it can: it must never be what
 * the others wait for.
 */
const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
const last = Buffer.from('0\r\n\r\n')
const ready = new Map(Object.entries(scripts).map(([name, script]) => [name, Buffer.concat([head, script.whole])]))
const json = toJson(200, completion)
const models = toJson(200, JSON.stringify({ object: 'list', data: [{ id: 'bench', object: 'model' }] }))
const missing = toJson(404, '{"detail":"Not Found"}')
const headEnd = Buffer.from('\r\n\r\n')
const modelField = Buffer.from('"model":"')

interface Stream {
  readonly socket: Socket
  readonly script: Script
  at: number
}

/** Streams take their turns millisecond by millisecond, as those of many clients do. */
const spread = 20
const paced: Set<Stream>[] = Array.from({ length: spread }, () => new Set())
let tick = 0
let begun = 0
setInterval(() => {
  tick = (tick + 1) % spread
  for (const stream of paced[tick] ?? []) goOn(stream)
}, 1)

function goOn(stream: Stream): void {
  const event = stream.script.events[stream.at]
  stream.at += 1
  if (event === undefined) {
    for (const group of paced) group.delete(stream)
    stream.socket.write(last)
  } else stream.socket.write(stamp(event, microseconds()))
}

function answer(socket: Socket, request: Buffer): void {
  if (request[0] !== 0x50) {
    socket.write(request.includes('/models ') ? models : missing)
    return
  }
  const at = request.indexOf(modelField) + modelField.length
  const name = request.toString('latin1', at, request.indexOf(0x22, at))
  const script = scripts[name]
  if (name === 'json') socket.write(json)
  else if (script === undefined) socket.write(missing)
  else if (script.paceMs === undefined) socket.write(ready.get(name) ?? missing)
  else if (script.paceMs === 0) writeSingly(socket, [head, ...script.events, last])
  else {
    socket.write(head)
    begun += 1
    paced[begun % spread]?.add({ socket, script, at: 0 })
  }
}

/** Streams take their turns, so that hardly two events of one are read at once. */
function writeSingly(socket: Socket, pieces: readonly Buffer[], at = 0): void {
  const piece = pieces[at]
  if (piece === undefined || socket.destroyed) return
  socket.write(piece)
  setImmediate(writeSingly, socket, pieces, at + 1)
}

function toJson(status: number, body: string): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const server = createServer({ noDelay: true }, (socket) => {
  let parts: Buffer[] = []
  let missingBytes: number | undefined
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    if (missingBytes === undefined) {
      const all = Buffer.concat(parts)
      const end = all.indexOf(headEnd)
      if (end === -1) return
      const length = /content-length: *(\d+)/i.exec(all.toString('latin1', 0, end))?.[1] ?? '0'
      missingBytes = end + headEnd.length + Number(length) - all.length
    } else missingBytes -= chunk.length
    if (missingBytes > 0) return
    const request = parts.length === 1 ? chunk : Buffer.concat(parts)
    parts = []
    missingBytes = undefined
    answer(socket, request)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    for (const group of paced) for (const stream of group) if (stream.socket === socket) group.delete(stream)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
serveMeter()
