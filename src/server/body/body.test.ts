import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readBody } from './body.ts'

const limits = { bodyBytes: 8 << 20, depth: 128 }

test.each([
  { size: 'long', content: 'x'.repeat(2 << 20), order: ['others', 'body'] },
  { size: 'short', content: 'x', order: ['body', 'others'] },
])('after a $size body is read, this comes first: $order.0', async ({ content, order }) => {
  const bytes = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }))
  const request = Object.assign(Readable.from([bytes]), { headers: { 'content-type': 'application/json' } })
  const came: string[] = []
  const others = new Promise<void>((resolve) => {
    request.once('end', () => {
      setImmediate(() => {
        came.push('others')
        resolve()
      })
    })
  })
  const body = readBody(request as unknown as IncomingMessage, limits).then(() => came.push('body'))
  await Promise.all([body, others])
  expect(came).toEqual(order)
})
