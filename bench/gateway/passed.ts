import { createServer, type ServerResponse } from 'node:http'
import { Pool } from 'undici'
import { serveMeter } from './meter.ts'

/** node bench/gateway/passed.ts URL [PORT]: a baseline. A gateway that reads nothing: undici's `dispatch`, every chunk passed on. */
const [, , url = '', port = '0'] = process.argv
const pool = new Pool(url, { connections: null })

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => ask(request.url ?? '/', Buffer.concat(parts), response))
})

function ask(path: string, body: Buffer, response: ServerResponse): void {
  pool.dispatch(
    { method: 'POST', path, body, headers: { 'content-type': 'application/json' }, headersTimeout: 0, bodyTimeout: 0 },
    {
      onRequestStart: () => undefined,
      onResponseStart(_, status, headers) {
        response.writeHead(status, { 'content-type': String(headers['content-type']) })
      },
      onResponseData(_, chunk) {
        response.write(chunk)
      },
      onResponseEnd() {
        response.end()
      },
      onResponseError() {
        response.destroy()
      },
    },
  )
}

server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
serveMeter()
