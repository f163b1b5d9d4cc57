import { type AddressInfo, createServer, type Socket } from 'node:net'

/** One step of what a broken service does, in order. */
export type Step =
  | string
  | Buffer
  /** Says nothing more and keeps the connection. */
  | 'HANG'
  | 'RESET'
  | 'END'
  /** Ends its own side of the connection, and never minds that the other one ends too. */
  | 'HALF'
  /** Goes on when the test says so. */
  | { readonly until: () => Promise<void> }
  /** The same bytes again and again, so many milliseconds apart, until the connection closes. */
  | { readonly again: string | Buffer; readonly everyMs: number }
  /** One byte at a time. */
  | { readonly drip: string; readonly everyMs: number }

export interface Contact {
  readonly id: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  readonly connectedAt: number
  closedAt: number | undefined
  /** Bytes sent, to see that a service which floods is held up. */
  sent: number
}

/** A model service on bare TCP: what it sends is sent as it is, right or wrong. The model's name chooses the script. */
export async function startService(scripts: ReadonlyMap<string, readonly Step[]>) {
  const contacts: Contact[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('end', () => {
      if (contact !== undefined) contact.closedAt ??= performance.now()
      socket.end()
    })
    let contact: Contact | undefined
    let read = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (contact !== undefined) contact.closedAt ??= performance.now()
    })
    socket.on('data', (piece) => {
      if (contact !== undefined) return
      read = Buffer.concat([read, piece])
      const request = readRequest(read)
      if (request === undefined) return
      if (!request.head.startsWith('POST ') || request.model === undefined) {
        read = Buffer.alloc(0)
        socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
        return
      }
      const id = /^x-request-id: (.*)$/im.exec(request.head)?.[1]?.trim() ?? ''
      const headers = headersOf(request.head)
      contact = { id, headers, model: request.model, connectedAt: performance.now(), closedAt: undefined, sent: 0 }
      contacts.push(contact)
      const current = contact
      void play(socket, scripts.get(request.model) ?? [], current).then((isFree) => {
        if (!isFree) return
        // What was said was whole: the next request may come the same way.
        current.closedAt = performance.now()
        contact = undefined
        read = Buffer.alloc(0)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    contacts,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function headersOf(head: string): Readonly<Record<string, string>> {
  const lines = head.split('\r\n').slice(1)
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
}

function readRequest(bytes: Buffer): { readonly head: string; readonly model: string | undefined } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.subarray(0, end).toString('latin1')
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  const body = bytes.subarray(end + 4)
  if (body.length < length) return undefined
  const model = length === 0 ? undefined : (JSON.parse(body.toString()) as { model?: string }).model
  return { head, model }
}

async function play(socket: Socket, steps: readonly Step[], contact: Contact): Promise<boolean> {
  const send = async (bytes: string | Buffer): Promise<void> => {
    contact.sent += bytes.length
    if (!socket.write(bytes)) await either(socket, 'drain')
  }
  for (const step of steps) {
    if (socket.destroyed || step === 'HANG') return false
    if (step === 'RESET') socket.resetAndDestroy()
    if (step === 'END' || step === 'HALF') socket.end()
    if (step === 'RESET' || step === 'END' || step === 'HALF') return false
    if (typeof step === 'string' || Buffer.isBuffer(step)) await send(step)
    else if ('until' in step) await step.until()
    else if ('drip' in step) {
      for (const byte of Buffer.from(step.drip)) {
        await send(Buffer.from([byte]))
        await pause(step.everyMs)
        if (socket.destroyed) return false
      }
    } else {
      while (!socket.destroyed) {
        await send(step.again)
        await pause(step.everyMs)
      }
    }
  }
  return true
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void (ms === 0 ? setImmediate(resolve) : setTimeout(resolve, ms)))

function either(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      socket.off(event, go).off('close', go)
      resolve()
    }
    socket.on(event, go).on('close', go)
  })
}
