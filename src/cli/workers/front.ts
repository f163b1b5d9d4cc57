import { createServer, type Server, type Socket } from 'node:net'
import type { Address } from '../../config/values/address.ts'
import type { Hand } from './hand.ts'

/** Connections that wait for a worker when there is none; beyond this they are closed. */
const mostHeld = 1024

/** Where connections come in. It reads none of them. */
interface Front {
  readonly address: Address
  /** Gives a worker those that waited for one. */
  release(hand: Hand): void
  /** Takes no new connections. */
  close(): void
  /** Those that still wait get no worker any more. */
  drop(): void
}

/** Listens, and hands each connection to the worker whose turn it is. */
export async function openFront(host: string, port: number, nextHand: () => Hand | undefined): Promise<Front> {
  const held: Socket[] = []
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => undefined)
    const hand = nextHand()
    if (hand !== undefined) hand.line.pass(socket)
    else if (held.length < mostHeld) held.push(socket)
    else socket.destroy()
  })
  return {
    address: await listen(server, host, port),
    release(hand) {
      for (const socket of held.splice(0)) hand.line.pass(socket)
    },
    close: () => void server.close(),
    drop() {
      for (const socket of held) socket.destroy()
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), () => {
      server.off('error', reject)
      // A machine out of descriptors accepts again once some are free.
      server.on('error', () => undefined)
      const bound = server.address()
      resolve({ host, port: typeof bound === 'object' && bound !== null ? bound.port : port })
    })
  })
}
