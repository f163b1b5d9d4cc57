import { createClient } from '@redis/client'
import { Keyv } from 'keyv'

/** Where a conversation stands on a service that keeps it. */
export interface Session {
  readonly chat: string
  /** The id that the next message hangs on. */
  readonly parent: string
  /** What its model was told beside the conversation, as a digest; empty when that was nothing. */
  readonly taught: string
}

/**
 * Remembers sessions by keys that say nothing about the conversation. A store that fails is a store that knows nothing:
 * reading gives nothing, writing does nothing, and neither takes long. When it is back, it is used again.
 */
export interface Sessions {
  get(key: string): Promise<Session | undefined>
  set(key: string, session: Session): Promise<void>
  delete(key: string): Promise<void>
  close(): Promise<void>
}

export interface SessionSettings {
  /** `memory`, or the address of a Redis that several gateways share. */
  readonly store: string
  readonly ttlMs: number
}

const MAX_REMEMBERED = 100_000

export function createSessions({ store, ttlMs }: SessionSettings): Sessions {
  const keyv = new Keyv<Session>({
    store: store === 'memory' ? createShelf(MAX_REMEMBERED) : createRedisStore(store),
    ttl: ttlMs,
    namespace: 'dragoman:sessions',
  })
  // Keyv turns a failing store into an empty one and tells of it by this event, which must have somebody to listen.
  keyv.on('error', () => undefined)
  return {
    get: (key) => keyv.get(key),
    async set(key, session) {
      await keyv.set(key, session)
    },
    async delete(key) {
      await keyv.delete(key)
    },
    close: () => keyv.disconnect(),
  }
}

/**
 * All entries live equally long, so the oldest is always the next to expire and the first that may go. It is a Map, and no
 * Memory, because that is what the store takes.
 */
export function createShelf(maxEntries: number): Map<string, { readonly expires?: number }> {
  const shelf = new Map<string, { readonly expires?: number }>()
  const put = shelf.set.bind(shelf)
  shelf.set = (key, entry) => {
    shelf.delete(key)
    for (const [oldest, { expires }] of shelf) {
      if (shelf.size < maxEntries && (expires === undefined || expires > Date.now())) break
      shelf.delete(oldest)
    }
    return put(key, entry)
  }
  return shelf
}

/** How long a request waits for the store before it goes on without. */
const PATIENCE_MS = 1_000

const MAX_RECONNECT_MS = 1_000

/** The part of a store that Keyv asks for, over the official client. Nothing waits for a Redis that is away. */
function createRedisStore(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: PATIENCE_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, MAX_RECONNECT_MS),
    },
  })
  client.on('error', () => undefined)
  // It keeps trying by itself: only the first requests have to wait for the first try.
  const tried = within(client.connect()).then(
    () => undefined,
    () => undefined,
  )

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    await tried
    return await within(question())
  }

  return {
    get: (key: string) => ask(() => client.get(key)),
    set: (key: string, value: string, ttl?: number) =>
      ask(async () => {
        await client.set(key, value, ttl === undefined ? {} : { expiration: { type: 'PX', value: ttl } })
        return true
      }),
    delete: (key: string) => ask(async () => (await client.del(key)) > 0),
    clear: async () => undefined,
    async disconnect() {
      client.destroy()
    },
  }
}

/** What a promise gives, if it does so soon. */
async function within<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  })
  try {
    return await Promise.race([promise, patience])
  } finally {
    clearTimeout(timer)
  }
}
