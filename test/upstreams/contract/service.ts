import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Script } from '../../doubles/openai-compat.ts'
import type { Wire } from './wire.ts'

export interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
  /** How the answer to it ended: `left` when the upstream hung up before that. */
  readonly over: Promise<'ended' | 'left'>
}

/** A service that answers every question with this script. */
export async function startService(wire: Pick<Wire, 'errand'>, script: Script) {
  const questions: Asked[] = []
  let wake: (() => void) | undefined
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = incoming
    const errand = wire.errand?.(method, path.split('?')[0] ?? '')
    if (errand !== undefined || (method === 'GET' && wire.errand === undefined)) {
      response.writeHead(errand === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(errand ?? { error: { message: 'Not Found' } }))
      return
    }
    questions.push({
      path,
      authorization: headers.authorization,
      body: Buffer.concat(chunks).toString('utf8'),
      over: new Promise((resolve) =>
        response.once('close', () => resolve(response.writableFinished ? 'ended' : 'left')),
      ),
    })
    wake?.()
    await play(script, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    /** The first question, as soon as it has come. */
    async asked(): Promise<Asked> {
      const [first] = questions
      if (first !== undefined) return first
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      return await this.asked()
    },
  }
}

async function play({ status, headers, writes, ending }: Script, response: ServerResponse): Promise<void> {
  if (status > 0) {
    response.writeHead(status, headers)
    response.flushHeaders()
  }
  for (const write of writes) {
    if (response.destroyed) return
    await new Promise((resolve) => response.write(write, resolve))
    // A turn of the loop, so that the reader gets each write in a read of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (ending === 'end') response.end()
  if (ending === 'drop') response.socket?.destroy()
}

/** An address where nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
