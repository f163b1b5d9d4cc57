import { createServer, type ServerResponse } from 'node:http'
import { createParser } from 'eventsource-parser'
import { Pool } from 'undici'
import { serveMeter } from './meter.ts'

/**
 * node bench/gateway/parsed.ts URL [PORT]: a baseline. A gateway that looks at every event and understands none: parsed, printed
 * again, those of one read written together.
 */
const [, , url = '', port = '0'] = process.argv
const pool = new Pool(url, { connections: null })

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString())
    ask(request.url ?? '/', JSON.stringify(body), response)
  })
})

function ask(path: string, body: string, response: ServerResponse): void {
  const decoder = new TextDecoder()
  let waiting = ''
  const parser = createParser({
    onEvent({ data }) {
      if (waiting === '') queueMicrotask(flush)
      waiting += `data: ${data === '[DONE]' ? data : JSON.stringify(JSON.parse(data))}\n\n`
    },
  })
  function flush(): void {
    if (waiting !== '') response.write(waiting)
    waiting = ''
  }
  pool.dispatch(
    { method: 'POST', path, body, headers: { 'content-type': 'application/json' }, headersTimeout: 0, bodyTimeout: 0 },
    {
      onRequestStart: () => undefined,
      onResponseStart(_, status, headers) {
        response.writeHead(status, { 'content-type': String(headers['content-type']) })
      },
      onResponseData(_, chunk) {
        parser.feed(decoder.decode(chunk, { stream: true }))
      },
      onResponseEnd() {
        flush()
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
