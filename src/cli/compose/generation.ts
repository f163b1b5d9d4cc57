import type { Config } from '../../config/load.ts'
import type { Door } from '../../doors/door.ts'
import { createRandomId } from '../../random-id.ts'
import { createKeyring, type Keyring } from '../../server/access/auth.ts'
import type { Budgets } from '../../server/accounts/budgets.ts'
import type { KeyBook } from '../../server/accounts/key-book.ts'
import type { AccountStore } from '../../server/accounts/store.ts'
import type { Quotas } from '../../server/quota/quota.ts'
import { createQuotas } from '../../server/quota/redis.ts'
import type { Log } from '../../server/telemetry/log.ts'
import type { Turns } from '../../turn/turn.ts'
import { createTurns } from '../../turn/turns.ts'
import type { Gated } from '../../upstreams/gate.ts'
import { createStore, type Store } from '../../upstreams/store.ts'
import { bookOver, budgetsOver, openAccounts, usesAccounts } from './accounts.ts'
import { doorsOf, type Shared } from './service.ts'
import { withMemory } from './store.ts'
import { createUpstreams, secretsIn } from './upstreams.ts'

/** What serves by one configuration. */
export interface Generation {
  readonly config: Config
  readonly upstreams: ReadonlyMap<string, Gated>
  readonly turns: Turns
  readonly keyring: Keyring
  /** What doors keep between the requests of their clients. */
  readonly kept: Store<string>
  readonly quotas: Quotas
  /** Where budgets are counted and keys are kept; undefined where neither is used. */
  readonly accounts: AccountStore | undefined
  readonly budgets: Budgets | undefined
  readonly book: KeyBook | undefined
  readonly doors: readonly Door[]
  /** What must not be seen where exchanges are. */
  readonly secrets: readonly string[]
}

interface Circumstances {
  /** With whom it serves. */
  readonly shared: Shared | undefined
  readonly log: Log
  /** Keys that are not accepted any more. */
  readonly former?: readonly { readonly hash: string }[]
  readonly before?: Generation
}

export function createGeneration(config: Config, circumstances: Circumstances): Generation {
  const { settings } = config
  const { shared, former } = circumstances
  const accounts = accountsFor(config, circumstances.before)
  const book = accounts && bookOver(accounts, config)
  const upstreams = createUpstreams(config, shared)
  const turns = createTurns({
    upstreams,
    models: settings.models,
    unnamed: config.unnamed,
    newId: () => createRandomId('call_'),
  })
  return {
    config,
    upstreams,
    turns,
    book,
    keyring: createKeyring(settings.keys, former, book?.find),
    ...storesFor(config, circumstances),
    accounts,
    budgets: accounts && budgetsOver(accounts, config, circumstances.log),
    doors: doorsOf(config),
    secrets: [...settings.upstreams.values(), ...settings.keys].flatMap(secretsIn),
  }
}

/** A conversation with some pictures in it fits into a value. */
const keptLimits = { entries: 100_000, characters: 128 << 20, valueCharacters: 16 << 20 }

/** What a missing Redis means for the limits of keys. */
const countedAlone = 'Until it is back, this gateway counts the limits of keys by itself.'

/** The same stores as before wherever they can be: what is in them would be lost. */
function storesFor({ settings: { sessions } }: Config, { before, shared, log }: Circumstances) {
  const former = before?.config.settings.sessions
  const isSame = former?.store === sessions.store
  const kept = isSame && former.ttlMs === sessions.ttlMs ? before?.kept : undefined
  const quotas = isSame ? before?.quotas : undefined
  return {
    kept: kept ?? createStore('dragoman:doors', withMemory(sessions, shared), keptLimits),
    quotas:
      quotas ??
      createQuotas({
        store: sessions.store,
        now: Date.now,
        createId: createRandomId,
        memory: shared?.quotas,
        onChange: (state, reason) => log.service?.({ service: 'redis', state, reason, remedy: countedAlone }),
      }),
  }
}

function accountsFor(config: Config, before: Generation | undefined): AccountStore | undefined {
  if (!usesAccounts(config)) return undefined
  const isSame = before?.config.settings.sessions.store === config.settings.sessions.store
  return (isSame ? before?.accounts : undefined) ?? openAccounts(config)
}

export function loadsOf({ upstreams }: Generation) {
  return new Map([...upstreams].flatMap(([name, { load }]) => (load === undefined ? [] : [[name, load] as const])))
}

/** What another generation goes on with stays open. */
export async function closeGeneration(
  { upstreams, kept, quotas, accounts, book }: Generation,
  next?: Generation,
): Promise<void> {
  book?.close()
  const closing = [...upstreams.values()].map((upstream) => upstream.close())
  if (kept !== next?.kept) closing.push(kept.close())
  if (quotas !== next?.quotas) closing.push(quotas.close())
  if (accounts !== undefined && accounts !== next?.accounts) closing.push(accounts.close())
  await Promise.allSettled(closing)
}
