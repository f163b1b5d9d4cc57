import { hashKey, type KeySettings, readKeyEntry } from '../../config/keys.ts'
import { GatewayError } from '../../errors.ts'
import type { AccountStore, AuditLine, StoredKey } from './store.ts'

/** Keys that are made, rotated and revoked while gateways run. All that share the store take them up within seconds. */
export interface KeyBook {
  /** By its SHA-256, as of the last look. */
  find(hash: string): KeySettings | undefined
  list(): Promise<readonly { readonly entry: StoredKey; readonly settings: KeySettings }[]>
  /** Gives back the key, which is kept nowhere. */
  make(entry: unknown, by: string): Promise<{ readonly key: string; readonly entry: StoredKey }>
  rotate(name: string, by: string): Promise<{ readonly key: string; readonly entry: StoredKey }>
  revoke(name: string, by: string): Promise<void>
  audit(limit: number): Promise<readonly AuditLine[]>
  close(): void
}

interface KeyBookOptions {
  readonly store: AccountStore
  readonly createKey: () => string
  readonly now: () => number
  /** Names that the config file has. */
  readonly isTaken: (name: string) => boolean
  /** How often it is looked at what others changed; absent: once, when asked for. */
  readonly lookEveryMs?: number
}

export function createKeyBook({ store, createKey, now, isTaken, lookEveryMs }: KeyBookOptions): KeyBook {
  let byHash: ReadonlyMap<string, KeySettings> = new Map()

  async function list() {
    const all = (await store.keys()).flatMap((entry) => {
      // What has not changed is not read again.
      const before = byHash.get(entry.hash.slice('sha256:'.length))
      const settings = before ?? readKeyEntry(entry).settings
      return settings === undefined ? [] : [{ entry, settings }]
    })
    byHash = new Map(all.map(({ settings }) => [settings.hash, settings]))
    return all
  }

  // While the store is away, the keys last seen stay good.
  const look = (): void => void list().catch(() => undefined)
  const timer = lookEveryMs === undefined ? undefined : setInterval(look, lookEveryMs).unref()
  if (timer !== undefined) look()

  async function put(entry: object, name: string, did: 'made' | 'rotated', by: string) {
    const key = createKey()
    const stored = { ...entry, name, hash: `sha256:${hashKey(key)}` }
    await store.putKey(name, stored, { at: new Date(now()).toISOString(), by, did, key: name })
    await list()
    return { key, entry: stored }
  }

  async function entryOf(name: string): Promise<StoredKey> {
    const entry = (await store.keys()).find((one) => one.name === name)
    if (entry !== undefined) return entry
    const where = isTaken(name)
      ? 'This key stands in the config file: change it there.'
      : 'There is no key of this name.'
    throw new GatewayError('not_found', where)
  }

  return {
    find: (hash) => byHash.get(hash),
    list,
    async make(entry, by) {
      const { settings, problem } = readKeyEntry({ ...(entry as object), hash: `sha256:${hashKey('')}` })
      if (settings === undefined) throw new GatewayError('invalid_value', problem)
      const { name } = settings
      const isThere = isTaken(name) || (await store.keys()).some((one) => one.name === name)
      if (isThere)
        throw new GatewayError('invalid_value', `There is a key called '${name}' already.`, { param: 'name' })
      return await put(entry as object, name, 'made', by)
    },
    rotate: async (name, by) => await put(await entryOf(name), name, 'rotated', by),
    async revoke(name, by) {
      await entryOf(name)
      await store.putKey(name, undefined, { at: new Date(now()).toISOString(), by, did: 'revoked', key: name })
      await list()
    },
    audit: (limit) => store.audit(limit),
    close: () => clearInterval(timer),
  }
}
