import { parseObject } from '../protocol/json.ts'
import { createMemory } from '../protocol/memory/memory.ts'
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

/** Where the texts of a store are. */
export interface StoreBackend {
  get(key: string): Promise<string | null | undefined>
  set(key: string, text: string, ttlMs: number): Promise<unknown>
  delete(key: string): Promise<unknown>
  close?(): Promise<void>
}

/** What a store may hold. What is too large is forgotten at once; in memory the oldest goes first. */
export interface StoreLimits {
  readonly entries: number
  /** Of all texts together, in memory; a Redis has bounds of its own. Absent: they are all small. */
  readonly characters?: number
  /** Of one text. */
  readonly valueCharacters?: number
}

/** Stores of different namespaces share nothing. */
export function createStore(namespace: string, { store, ttlMs, memory }: StoreSettings, limits: StoreLimits) {
  const { valueCharacters = Number.POSITIVE_INFINITY } = limits
  const backend =
    store === 'memory' ? (memory?.(namespace, limits) ?? toBackend(createTexts(limits))) : createRedisBackend(store)
  const keyOf = (key: string): string => `${namespace}:${key}`
  const ignore = (): undefined => undefined
  const texts: Store<string> = {
    get: async (key) => (await backend.get(keyOf(key)).catch(ignore)) ?? undefined,
    async set(key, text) {
      // The text before it is out of date.
      if (text.length > valueCharacters) return await texts.delete(key)
      await backend.set(keyOf(key), text, ttlMs).catch(ignore)
    },
    async delete(key) {
      await backend.delete(keyOf(key)).catch(ignore)
    },
    close: async () => backend.close?.(),
  }
  return texts
}

/** Texts in this process. All live equally long, so the oldest is always the next to expire. */
export function createTexts({ entries, characters }: StoreLimits, now = Date.now) {
  const kept = createMemory<{ readonly text: string; readonly until: number }>({
    entries,
    ...(characters !== undefined && { characters }),
    sizeOf: ({ text }) => text.length,
    isOver: ({ until }) => now() >= until,
  })
  return {
    get(key: string): string | undefined {
      const found = kept.get(key)
      return found !== undefined && now() < found.until ? found.text : undefined
    },
    set: (key: string, text: string, ttlMs: number): void => kept.set(key, { text, until: now() + ttlMs }),
    delete: kept.delete,
  }
}

function toBackend(texts: ReturnType<typeof createTexts>): StoreBackend {
  return {
    get: async (key) => texts.get(key),
    set: async (key, text, ttlMs) => texts.set(key, text, ttlMs),
    delete: async (key) => texts.delete(key),
  }
}

function createRedisBackend(url: string): StoreBackend {
  const redis = openRedis(url)
  return {
    get: (key) => redis.ask((client) => client.get(key)),
    set: (key, text, ttlMs) =>
      redis.ask((client) => client.set(key, text, { expiration: { type: 'PX', value: ttlMs } })),
    delete: (key) => redis.ask((client) => client.del(key)),
    close: redis.close,
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

const mostSessions = 100_000

export function createSessions(settings: StoreSettings): Sessions {
  const texts = createStore('dragoman:sessions', settings, { entries: mostSessions })
  return {
    ...texts,
    async get(key) {
      return parseObject((await texts.get(key)) ?? '') as object as Session | undefined
    },
    set: (key, session) => texts.set(key, JSON.stringify(session)),
  }
}
