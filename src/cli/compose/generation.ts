import type { Config } from '../../config/load.ts'
import type { Door } from '../../doors/door.ts'
import { createKeyring, type Keyring } from '../../server/access/auth.ts'
import { createRandomId } from '../../server/ids.ts'
import type { Turns } from '../../turn/turn.ts'
import { createTurns } from '../../turn/turns.ts'
import type { Gated } from '../../upstreams/gate.ts'
import { createKeep, type Keep } from '../../upstreams/keep.ts'
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
  readonly kept: Keep<string>
  readonly doors: readonly Door[]
  /** What must not be seen where exchanges are. */
  readonly secrets: readonly string[]
}

interface Circumstances {
  /** With whom it serves. */
  readonly shared: Shared | undefined
  /** Keys that are not accepted any more. */
  readonly former?: readonly { readonly hash: string }[]
  readonly before?: Generation
}

export function createGeneration(config: Config, { shared, former, before }: Circumstances): Generation {
  const { settings } = config
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
    keyring: createKeyring(settings.keys, former),
    kept: keepFor(config, before, shared),
    doors: doorsOf(config),
    secrets: [...settings.upstreams.values(), ...settings.keys].flatMap(secretsIn),
  }
}

/** A conversation with some pictures in it fits into a value. */
const keptLimits = { entries: 100_000, characters: 128 << 20, valueCharacters: 16 << 20 }

/** The same keep as before wherever it can be: what is in it would be lost. */
function keepFor(
  { settings: { sessions } }: Config,
  before: Generation | undefined,
  shared: Shared | undefined,
): Keep<string> {
  const former = before?.config.settings.sessions
  if (before !== undefined && former?.store === sessions.store && former.ttlMs === sessions.ttlMs) return before.kept
  return createKeep('dragoman:doors', withMemory(sessions, shared), keptLimits)
}

export function loadsOf({ upstreams }: Generation) {
  return new Map([...upstreams].flatMap(([name, { load }]) => (load === undefined ? [] : [[name, load] as const])))
}

/** What another generation goes on with stays open. */
export async function closeGeneration({ upstreams, kept }: Generation, next?: Generation): Promise<void> {
  const closing = [...upstreams.values()].map((upstream) => upstream.close())
  if (kept !== next?.kept) closing.push(kept.close())
  await Promise.allSettled(closing)
}
