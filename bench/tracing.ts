import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The world around a gateway that is measured: a model server behind it and clients before it, in a process of their own. */

/** What the parent wants: so many exchanges, one after the other from each of some clients. */
export interface Order {
  readonly port: number
  readonly body: string
  readonly count: number
  readonly clients: number
}

const words = 'The quick brown fox jumps over the lazy dog; const total = items.map((item) => item.price < 3) '
const call = `<tool_call>\n${JSON.stringify({ name: 'tool_1', arguments: { path: '/a', content: words.repeat(8) } })}\n</tool_call>`
const pieces = (words.repeat(4) + call).match(/.{1,6}/gs) ?? []
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const events = [...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]\n\n']

/** Several tokens leave in one write, as a busy model server's do. */
const tokensAWrite = 4

const server = createServer((asked, answer) => {
  asked.resume()
  asked.once('end', () => {
    if (asked.method === 'GET')
      return void answer.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    let at = 0
    const say = (): void => {
      answer.write(events.slice(at, at + tokensAWrite).join(''))
      at += tokensAWrite
      if (at < events.length) setImmediate(say)
      else answer.end()
    }
    say()
  })
})

function ask({ port, body }: Order): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request({ port, method: 'POST', path: '/v1/chat/completions', headers }, (answer) => {
      answer.resume()
      answer.once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

process.on('message', async (order: Order) => {
  await Promise.all(
    Array.from({ length: order.clients }, async () => {
      for (let done = 0; done < order.count / order.clients; done++) await ask(order)
    }),
  )
  process.send?.('done')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
