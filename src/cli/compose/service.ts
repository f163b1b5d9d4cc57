import type { Config } from '../../config/load.ts'
import { type Address, printAddress, reachable } from '../../config/values/address.ts'
import type { Door } from '../../doors/door.ts'
import { doors } from '../../doors/registry.ts'
import type { Family } from '../../server/metrics/registry.ts'
import type { Quotas } from '../../server/quota/quota.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import type { GateMaker } from '../../upstreams/gate.ts'
import type { StoreSettings } from '../../upstreams/store.ts'

/** A running gateway. */
export interface Service {
  /** `http://127.0.0.1:8484`, as clients on this machine reach it. */
  readonly origin: string
  /** Where the clients of each kind connect: `OpenAI`, `http://127.0.0.1:8484/v1`. */
  readonly entrances: readonly { readonly clients: string; readonly url: string }[]
  /** The inspector's address, with its token where it needs one; undefined where there is none. */
  readonly inspector: string | undefined
  /** How many requests are being answered. */
  underWay(): number | Promise<number>
  /** How each service was when last seen. */
  readonly seen: readonly ServiceCard[]
  /** How each service is, as of now; those that take their time are told as unknown once patience ends. */
  services(patience: AbortSignal): Promise<readonly ServiceCard[]>
  /**
   * From now on new requests go by this configuration; those under way end by the old one. Gives back what changed, in
   * sentences. Throws a ConfigError for one that would leave an open address without keys, or that has lost settings.
   * `anew`: processes that can be replaced are, even where nothing changed.
   */
  replace(config: Config, anew?: boolean): readonly string[]
  /** Resolves when there is too little memory to go on: it should close and be started anew. */
  readonly full: Promise<void>
  close(): Promise<void>
}

/** One of several gateways behind one port. */
export interface WorkerService extends Service {
  /** Takes no new connections; resolves when the last one it has is gone. */
  retire(): Promise<void>
  figures(): readonly Family[]
}

/** What a worker leaves to its supervisor, so that all workers together are one gateway. */
export interface Shared {
  readonly quotas: Quotas
  readonly gate: GateMaker
  readonly memory: NonNullable<StoreSettings['memory']>
  /** The figures of all workers as text. */
  readonly print: (own: readonly Family[]) => Promise<string>
  readonly traces: SharedTraces
}

/** What makes the inspectors of all workers one. */
export interface SharedTraces {
  /** Opens all of them. */
  readonly token: string
  /** Where exchanges are kept that would be in memory, were there one process only; undefined where nothing can be written. */
  readonly file: string | undefined
}

export const originOf = ({ host, port }: Address): string => `http://${printAddress({ host: reachable(host), port })}`

export const doorsOf = ({ settings }: Config): readonly Door[] =>
  doors.filter(({ name }) => settings.doors.includes(name))

/** Doors that serve the same clients are one entrance. */
export function entrancesOf(open: readonly Door[], origin: string): Service['entrances'] {
  const byClients = new Map(open.flatMap(({ clients }) => (clients === undefined ? [] : [[clients.of, clients.base]])))
  return [...byClients].map(([clients, base]) => ({ clients, url: `${origin}${base}` }))
}
