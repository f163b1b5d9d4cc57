import type { Config } from '../../config/load.ts'
import { ConfigError } from '../../config/problems.ts'
import { complainOfRedis } from '../../redis.ts'
import type { Store, StoreSettings } from '../../upstreams/store.ts'
import type { Shared } from './service.ts'

/** What is missing before the store of the configuration can be used, and what to do. */
export function complainOfStore({ settings: { sessions } }: Config) {
  return sessions.store === 'memory' ? undefined : complainOfRedis()
}

/** Throws a ConfigError for a store that this installation can't use. */
export function checkStore(config: Config): void {
  const complaint = complainOfStore(config)
  if (complaint === undefined) return
  throw new ConfigError([{ path: ['sessions', 'store'], message: `${complaint.lack} ${complaint.remedy}` }])
}

export function withMemory(sessions: StoreSettings, shared: Shared | undefined): StoreSettings {
  return shared === undefined ? sessions : { ...sessions, memory: shared.memory }
}

/** What doors keep for one client, apart from all others. */
export function storeOf(kept: Store<string>, client: string): Omit<Store<string>, 'close'> {
  const keyOf = (key: string): string => `${client}:${key}`
  return {
    get: (key) => kept.get(keyOf(key)),
    set: (key, text) => kept.set(keyOf(key), text),
    delete: (key) => kept.delete(keyOf(key)),
  }
}
