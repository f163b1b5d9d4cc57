import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ChunkWriter } from './chunk.ts'

/** What a client hears that sends these bytes to a server that answers every request like this, until it hangs up. */
async function hear(request: string, answer: (response: ServerResponse) => Promise<void> | void): Promise<string> {
  const server = createServer((_, response) => void answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  socket.write(request)
  let heard = ''
  socket.on('data', (text: string) => {
    heard += text
  })
  await once(socket, 'close')
  return heard
}

/** The chunks of a body, by their own account of their length in bytes. */
function chunksOf(response: string): readonly string[] {
  let rest = Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4))
  const chunks: string[] = []
  for (;;) {
    const at = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.toString('latin1', 0, at), 16)
    if (!(length > 0)) return [...chunks, rest.toString('utf8')]
    chunks.push(rest.toString('utf8', at + 2, at + 2 + length))
    expect(rest.toString('latin1', at + 2 + length, at + 4 + length)).toBe('\r\n')
    rest = rest.subarray(at + 4 + length)
  }
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: here\r\n${more}\r\n`
const createChunkWriter = (response: ServerResponse) => {
  const writer = new ChunkWriter(response)
  return (text: string) => writer.write(text)
}
const tick = () => new Promise(setImmediate)

test('every piece is a chunk of its own, whatever its characters, and the end is as ever', async () => {
  const pieces = ['first', 'æøå', '😀 and more', '\u0000', 'x'.repeat(70_000), 'last']
  const heard = await hear(get('/', 'connection: close\r\n'), async (response) => {
    response.writeHead(200, { trailer: 'x-foot' })
    const write = createChunkWriter(response)
    for (const piece of pieces) {
      write(piece)
      await tick()
    }
    response.addTrailers({ 'x-foot': 'here' })
    response.end()
  })
  expect(chunksOf(heard)).toEqual([...pieces, '0\r\nx-foot: here\r\n\r\n'])
})

test('pieces written in one go come in their order', async () => {
  const heard = await hear(get('/', 'connection: close\r\n'), (response) => {
    const write = createChunkWriter(response)
    for (const piece of ['a', 'b', 'c']) write(piece)
    response.end('d')
  })
  expect(chunksOf(heard)).toEqual(['a', 'b', 'c', 'd', '0\r\n\r\n'])
})

test('an empty piece does not end the response', async () => {
  const heard = await hear(get('/', 'connection: close\r\n'), async (response) => {
    const write = createChunkWriter(response)
    for (const piece of ['', 'a', '', 'b', '']) {
      write(piece)
      await tick()
    }
    response.end()
  })
  expect(chunksOf(heard)).toEqual(['a', 'b', '0\r\n\r\n'])
})

test('HTTP/1.0 gets the pieces without chunks', async () => {
  const heard = await hear('GET / HTTP/1.0\r\n\r\n', async (response) => {
    const write = createChunkWriter(response)
    for (const piece of ['a', 'b', 'c']) {
      write(piece)
      await tick()
    }
    response.end()
  })
  expect(heard.slice(heard.indexOf('\r\n\r\n') + 4)).toBe('abc')
})

test('a response that waits for the one before it does not speak into that', async () => {
  const held: ServerResponse[] = []
  const heard = await hear(get('/') + get('/', 'connection: close\r\n'), async (response) => {
    held.push(response)
    const [first, second] = held
    if (first === undefined || second === undefined) return
    const [late, early] = [createChunkWriter(first), createChunkWriter(second)]
    for (const piece of ['early 1', 'early 2']) early(piece)
    for (const piece of ['late 1', 'late 2']) {
      late(piece)
      await tick()
    }
    first.end()
    await tick()
    early('early 3')
    second.end()
  })
  const [, one = '', two = ''] = heard.split('HTTP/1.1 200 OK')
  expect(chunksOf(one)).toEqual(['late 1', 'late 2', '0\r\n\r\n'])
  expect(chunksOf(two)).toEqual(['early 1', 'early 2', 'early 3', '0\r\n\r\n'])
})

test('a client that does not read is waited for', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  socket.write(get('/', 'connection: close\r\n'))
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const write = createChunkWriter(response)
  const piece = 'y'.repeat(100_000)
  let written = 1
  let full = write(piece)
  for (; full === undefined || written < 3; written++) full = write(piece) ?? full
  const drained = once(full, 'drain')
  let length = 0
  socket.on('data', (bytes) => {
    length += bytes.length
  })
  socket.resume()
  await drained
  response.end()
  await once(socket, 'close')
  expect(length).toBeGreaterThan(written * piece.length)
})
