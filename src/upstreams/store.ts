import { Keyv } from 'keyv'
import { openRedis } from '../redis.ts'

/**
 * Keeps values by key for a while, in this process or in a Redis. A store that fails counts as an empty one:
 * reading gives nothing, writing does nothing, and neither takes long. When it is back, it is used again.
 */
export interface Store<Value> {
  get(key: string): Promise<Value | undefined>
  set(key: string, value: Value): Promise<void>
  delete(key: string): Promise<void>
  close(): Promise<void>
}

export interface StoreSettings {
  /** `memory`, or the address of a Redis that several gateways share. */
  readonly store: string
  readonly ttlMs: number
  /** Where `memory` is, when that is another process. */
  readonly memory?: (namespace: string, limits: StoreLimits) => StoreBackend
}

/** The part of a store that Keyv asks for. */
export interface StoreBackend {
  get(key: string): Promise<string | null | undefined>
  set(key: string, value: string, ttlMs?: number): Promise<boolean>
  delete(key: string): Promise<boolean>
  clear(): Promise<void>
  disconnect(): Promise<void>
}

/** What a store may hold. What is too large is forgotten at once; in memory the oldest goes first. */
export interface StoreLimits {
  readonly entries: number
  /** Of all values together, in memory; a Redis has bounds of its own. Absent: they are all small. */
  readonly characters?: number
  /** Of one value. */
  readonly valueCharacters?: number
}

/** Stores of different namespaces share nothing. */
export function createStore<Value>(
  namespace: string,
  { store, ttlMs, memory }: StoreSettings,
  limits: StoreLimits,
): Store<Value> {
  const { valueCharacters = Number.POSITIVE_INFINITY } = limits
  const keyv = new Keyv<Value>({
    store: store === 'memory' ? (memory?.(namespace, limits) ?? createBoundedMap(limits)) : createRedisStore(store),
    ttl: ttlMs,
    namespace,
  })
  // Keyv turns a failing store into an empty one and emits this event, which throws without a listener.
  keyv.on('error', () => undefined)
  return {
    get: (key) => keyv.get(key),
    async set(key, value) {
      // The value before it is out of date.
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
export function createBoundedMap({ entries, characters = Number.POSITIVE_INFINITY }: StoreLimits): Map<string, Entry> {
  const map = new Map<string, Entry>()
  const put = map.set.bind(map)
  const take = map.delete.bind(map)
  let held = 0
  map.delete = (key) => {
    held -= lengthOf(map.get(key))
    return take(key)
  }
  map.clear = () => {
    for (const key of [...map.keys()]) map.delete(key)
  }
  map.set = (key, entry) => {
    map.delete(key)
    const more = lengthOf(entry)
    for (const [oldest, { expires }] of map) {
      const isFull = map.size >= entries || held + more > characters
      if (!isFull && (expires === undefined || expires > Date.now())) break
      map.delete(oldest)
    }
    held += more
    return put(key, entry)
  }
  return map
}

function lengthOf(entry: Entry | undefined): number {
  return typeof entry?.value === 'string' ? entry.value.length : 0
}

function createRedisStore(url: string): StoreBackend {
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

/** Where a conversation stands on a service that keeps it. */
export interface Session {
  readonly chat: string
  /** The id that the next message hangs on. */
  readonly parent: string
  /** What its model was told beside the conversation, as a digest; empty when that was nothing. */
  readonly taught: string
}

/** Remembers sessions by keys that say nothing about the conversation. */
export type Sessions = Store<Session>

const maxRemembered = 100_000

export function createSessions(settings: StoreSettings): Sessions {
  return createStore('dragoman:sessions', settings, { entries: maxRemembered })
}
