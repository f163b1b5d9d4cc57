import type { Timeouts } from './deadlines.ts'
import type { Pool } from './exchange.ts'
import { addressOf, Connection } from './http/connection.ts'
import { HttpExchange } from './http/exchange.ts'

/** How long a connection is kept for the next request where the service does not say: uvicorn closes them after 5 s. */
const IDLE_MS = 4_000
/** Where it says, a little less: the request must not meet the hang-up on its way. */
const MARGIN_MS = 1_000
const MAX_IDLE_MS = 600_000

/**
 * The connections to one service. Unbounded here: a limit with a queue belongs where it can be seen. HTTP/1.1 only: there,
 * to cancel is to hang up. The newest idle one is used first, so that those nobody needs grow old.
 */
export function createPool(url: URL, { connectMs }: Timeouts): Pool {
  const address = addressOf(url)
  const idle: { readonly connection: Connection; readonly until: number }[] = []
  const open = new Set<Connection>()
  let sweeping: NodeJS.Timeout | undefined
  let isOver = false

  function connect(isFresh: boolean): Connection {
    if (isOver) throw new Error('The connections to the model server are closed.')
    const now = performance.now()
    while (!isFresh) {
      const last = idle.pop()
      if (last === undefined) break
      if (last.connection.isClosed) continue
      if (last.until > now) return last.connection
      last.connection.close()
    }
    const connection = new Connection(address, connectMs, keep, forget)
    open.add(connection)
    return connection
  }

  function keep(connection: Connection, keptMs = IDLE_MS + MARGIN_MS): void {
    const forMs = Math.min(keptMs - MARGIN_MS, MAX_IDLE_MS)
    if (isOver || forMs <= 0) return connection.close()
    idle.push({ connection, until: performance.now() + forMs })
    sweeping ??= setTimeout(sweep, IDLE_MS).unref()
  }

  /** Closes those that nobody came for. */
  function sweep(): void {
    const now = performance.now()
    const kept = idle.splice(0).filter(({ connection, until }) => {
      if (until <= now) connection.close()
      return until > now && !connection.isClosed
    })
    idle.push(...kept)
    sweeping = kept.length === 0 ? undefined : setTimeout(sweep, IDLE_MS).unref()
  }

  function forget(connection: Connection): void {
    open.delete(connection)
  }

  return {
    open: (request, signal) => new HttpExchange(request, signal, connect),
    async destroy() {
      isOver = true
      clearTimeout(sweeping)
      for (const connection of open) connection.close(new Error('The connections to the model server are closed.'))
    },
  }
}
