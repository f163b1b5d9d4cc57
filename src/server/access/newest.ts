import type { Duplex } from 'node:stream'
import type { Visit } from '../visit.ts'

/** The last request of a connection, until that has ended. */
interface Newest {
  visit: Visit | undefined
}

/** One for each connection, filled anew: a table whose entries come and go would keep what was in them. */
export function createNewest(): (socket: Duplex) => Newest {
  const known = new WeakMap<Duplex, Newest>()
  return (socket) => {
    const before = known.get(socket)
    if (before !== undefined) return before
    const newest: Newest = { visit: undefined }
    known.set(socket, newest)
    return newest
  }
}
