import { Keyv } from 'keyv'
import { openRedis } from '../redis.ts'

/**
 * Keeps values by key for a while, in this process or in a Redis. A store that fails is a store that knows nothing:
 * reading gives nothing, writing does nothing, and neither takes long. When it is back, it is used again.
 */
export interface Keep<Value> {
  get(key: string): Promise<Value | undefined>
  set(key: string, value: Value): Promise<void>
  delete(key: string): Promise<void>
  close(): Promise<void>
}

export interface KeepSettings {
  /** `memory`, or the address of a Redis that several gateways share. */
  readonly store: string
  readonly ttlMs: number
  /** Where `memory` is, when that is another process. */
  readonly memory?: (namespace: string, limits: KeepLimits) => KeepStore
}

/** The part of a store that Keyv asks for. */
export interface KeepStore {
  get(key: string): Promise<string | null | undefined>
  set(key: string, value: string, ttlMs?: number): Promise<boolean>
  delete(key: string): Promise<boolean>
  clear(): Promise<void>
  disconnect(): Promise<void>
}

/** What a keep may hold. What is too large is forgotten at once; in memory the oldest goes first. */
export interface KeepLimits {
  readonly entries: number
  /** Of all values together, in memory; a Redis has bounds of its own. Absent: they are all small. */
  readonly characters?: number
  /** Of one value. */
  readonly valueCharacters?: number
}

/** Keeps of different namespaces know nothing of each other. */
export function createKeep<Value>(
  namespace: string,
  { store, ttlMs, memory }: KeepSettings,
  limits: KeepLimits,
): Keep<Value> {
  const { valueCharacters = Number.POSITIVE_INFINITY } = limits
  const keyv = new Keyv<Value>({
    store: store === 'memory' ? (memory?.(namespace, limits) ?? createShelf(limits)) : createRedisStore(store),
    ttl: ttlMs,
    namespace,
  })
  // Keyv turns a failing store into an empty one and tells of it by this event, which must have somebody to listen.
  keyv.on('error', () => undefined)
  return {
    get: (key) => keyv.get(key),
    async set(key, value) {
      // What stood there before is as good as wrong.
      if (typeof value === 'string' && value.length > valueCharacters) await keyv.delete(key)
      else await keyv.set(key, value)
    },
    async delete(key) {
      await keyv.delete(key)
    },
    close: () => keyv.disconnect(),
  }
}

interface Entry {
  readonly expires?: number
  readonly value?: unknown
}

/** All entries live equally long, so the oldest is always the next to expire and the first that may go. */
export function createShelf({ entries, characters = Number.POSITIVE_INFINITY }: KeepLimits): Map<string, Entry> {
  const shelf = new Map<string, Entry>()
  const put = shelf.set.bind(shelf)
  const take = shelf.delete.bind(shelf)
  let held = 0
  shelf.delete = (key) => {
    held -= lengthOf(shelf.get(key))
    return take(key)
  }
  shelf.clear = () => {
    for (const key of [...shelf.keys()]) shelf.delete(key)
  }
  shelf.set = (key, entry) => {
    shelf.delete(key)
    const more = lengthOf(entry)
    for (const [oldest, { expires }] of shelf) {
      const isFull = shelf.size >= entries || held + more > characters
      if (!isFull && (expires === undefined || expires > Date.now())) break
      shelf.delete(oldest)
    }
    held += more
    return put(key, entry)
  }
  return shelf
}

function lengthOf(entry: Entry | undefined): number {
  return typeof entry?.value === 'string' ? entry.value.length : 0
}

function createRedisStore(url: string): KeepStore {
  const redis = openRedis(url)
  return {
    get: (key: string) => redis.ask((client) => client.get(key)),
    set: (key: string, value: string, ttl?: number) =>
      redis.ask(async (client) => {
        await client.set(key, value, ttl === undefined ? {} : { expiration: { type: 'PX', value: ttl } })
        return true
      }),
    delete: (key: string) => redis.ask(async (client) => (await client.del(key)) > 0),
    clear: async () => undefined,
    disconnect: () => redis.close(),
  }
}
