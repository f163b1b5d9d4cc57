/** A stand-in for a service of text: it calls a tool it was told of, and sums up what it was told back. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Said {
  readonly role: string
  readonly content: string
}

function answerTo(query: readonly Said[]): string {
  const last = query.at(-1)?.content ?? ''
  if (last.includes('-7 °C')) return 'Yes: it is -7 °C and snowing.'
  return 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
}

export async function startService() {
  const server = createServer(async (request, response) => {
    const body: string[] = []
    for await (const piece of request) body.push(String(piece))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = answerTo(JSON.parse(body.join('')).query)
    for (let at = 0; at < text.length; at += 6)
      response.write(`event: text\ndata: ${JSON.stringify({ text: text.slice(at, at + 6) })}\n\n`)
    response.end('event: done\ndata: {}\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}
