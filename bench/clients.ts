import { Agent, request } from 'node:http'

const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] })

/** Many clients' connections, kept between requests. */
export function createClients(origin: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const { hostname, port } = new URL(origin)
  return {
    /** One answer to its end; status 0 where the connection broke. */
    ask: (key: string): Promise<{ readonly status: number; readonly text: string; readonly ms: number }> =>
      new Promise((resolve) => {
        const begun = performance.now()
        let text = ''
        const end = (status: number) => () => resolve({ status, text, ms: performance.now() - begun })
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: `Bearer ${key}`,
        }
        const asked = request(
          { agent, hostname, port, method: 'POST', path: '/v1/chat/completions', headers },
          (response) => {
            response.setEncoding('utf8').on('data', (piece: string) => {
              text += piece
            })
            response.on('end', end(response.statusCode ?? 0)).on('error', end(0))
          },
        )
        asked.on('error', end(0)).end(body)
      }),
    close: () => agent.destroy(),
  }
}
