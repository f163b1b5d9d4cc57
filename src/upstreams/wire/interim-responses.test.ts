import { type AddressInfo, createServer } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../../test/doubles/openai-compat.ts'
import { listen, request, timeouts } from '../../../test/doubles/openai-upstream.ts'
import { createOpenAiUpstream } from '../openai/pooled.ts'

const frames = [...answer({ text: 'HTTP/1.1 100 Continue\r\n\r\n' }).writes].join('')
const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${Buffer.byteLength(frames)}\r\n\r\n`

/** A service that answers every request on a connection with these bytes, in packets of this size. */
async function startBytes(before: string, size: number) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    let heard = ''
    socket.on('error', () => undefined)
    socket.on('data', async (chunk) => {
      heard += chunk
      if (!/"messages".*\}$/s.test(heard)) return
      heard = ''
      const bytes = Buffer.from(before + head + frames)
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.subarray(at, at + size))
        await turn()
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const upstream = createOpenAiUpstream({ name: 'local', url: `http://127.0.0.1:${port}/v1`, timeouts })
  onTestFinished(async () => {
    await upstream.close()
    server.close()
  })
  return { upstream, connections: () => connections }
}

test.each(
  [
    ['nothing', ''],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
  ].flatMap(([name = '', before = '']) => [100_000, 7, 1].map((size) => [name, size, before] as const)),
)(
  'an answer after status %s, in packets of %s bytes, is heard, and its connection used again',
  async (_, size, before) => {
    const { upstream, connections } = await startBytes(before, size)
    for (let time = 0; time < 2; time++) {
      // The end of the answer before is on its way.
      for (let turns = 0; turns < 20; turns++) await turn()
      const { events, thrown } = await listen(upstream, new AbortController().signal, request)
      expect([thrown, events[0]]).toEqual([undefined, { type: 'text', text: 'HTTP/1.1 100 Continue\r\n\r\n' }])
    }
    expect(connections()).toBe(1)
  },
)
