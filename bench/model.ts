import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'

export const tokensEach = 30

const chunk = (more: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', ...more })}\n\n`
const words = chunk({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] })
const end =
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  chunk({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: tokensEach } })

/** A model server whose answers are so many words, with a pause before each. It can go away and come back. */
export async function startModel(count: number, pauseMs: number) {
  let server = await listen(0)
  const { port } = server.address() as AddressInfo

  function listen(at: number): Promise<Server> {
    const made = createServer(async (request, response) => {
      request.resume()
      if (request.method === 'GET') {
        response.end('{"object":"list","data":[{"id":"m","object":"model"}]}')
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let nth = 0; nth < count; nth++) {
        if (pauseMs > 0) await after(pauseMs)
        response.write(words)
      }
      response.end(`${end}data: [DONE]\n\n`)
    })
    return new Promise((resolve) => made.listen(at, '127.0.0.1', () => resolve(made)))
  }

  function stop(): Promise<void> {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }

  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop,
    async comeBack() {
      server = await listen(port)
    },
  }
}
