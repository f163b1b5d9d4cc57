import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createUpstream } from '../../src/upstreams/registry.ts'

const timeouts = { connectMs: 1000, firstEventMs: 5000, idleMs: 5000, totalMs: 5000 }
const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }], tools: [], sampling: {}, extra: {} }

/** A service that streams one event of so many characters, in its own protocol. */
async function serve(event: (text: string) => string, characters: number) {
  const server = createServer((asked, answer) => {
    asked.resume()
    if (asked.url?.endsWith('/chats/new')) answer.end('{"success":true,"data":{"id":"c"}}')
    else answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('x'.repeat(characters)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each([
  ['openai' as const, (text: string) => `data: {"choices":[{"delta":{"content":"${text}"}}]}`],
  ['poe' as const, (text: string) => `event: text\ndata: {"text":"${text}"}`],
  ['qwen-chat' as const, (text: string) => `data: {"choices":[{"delta":{"phase":"answer","content":"${text}"}}]}`],
])('an event of %s larger than the config allows ends the answer with an error', async (kind, event) => {
  const { server, url } = await serve(event, 20_000)
  const settings = { kind, url, key: 'k', forward: [], mode: 'replay', parent: 'response_id', thinking: 'off' } as never
  const upstream = createUpstream('service', settings, { timeouts, limits: { eventBytes: 10_000 } })
  const read = async () => {
    for await (const _events of upstream.chat(request, new AbortController().signal));
  }
  await expect(read()).rejects.toMatchObject({
    code: 'upstream_malformed',
    message: expect.stringContaining('an event of more than 10000 characters'),
  })
  await upstream.close()
  server.closeAllConnections()
  server.close()
})
