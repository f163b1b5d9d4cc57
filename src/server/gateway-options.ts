import type { Clock } from '../clock.ts'
import type { LimitSettings, TimeoutSettings } from '../config/settings.ts'
import type { Door, Store } from '../doors/door.ts'
import type { ServiceCard, Turns } from '../turn/turn.ts'
import type { Keyring } from './access/auth.ts'
import type { AllowLists } from './access/guard.ts'
import type { Overload } from './access/overload.ts'
import type { Budgets } from './accounts/budgets.ts'
import type { KeyBook } from './accounts/key-book.ts'
import type { TraceOptions } from './inspector/tracing.ts'
import type { Family } from './metrics/registry.ts'
import type { Quotas } from './quota/quota.ts'
import type { Log } from './telemetry/log.ts'

/** What may be replaced while the gateway runs. Requests under way keep what they began with. */
export interface GatewaySettings {
  readonly turns: Turns
  /** All there are, where nothing else is said. */
  readonly doors?: readonly Door[]
  readonly keyring?: Keyring
  /** Of both, what is left out is as by default. */
  readonly limits?: Partial<LimitSettings>
  readonly timeouts?: Partial<TimeoutSettings>
  /** Further names the gateway answers to, and web pages that may call it. */
  readonly allowed?: AllowLists
  /** What doors keep for one client; without it they keep nothing. */
  readonly storeOf?: (client: string) => Store
  /** Counts what keys do; without it, here alone. */
  readonly quotas?: Quotas
  /** Limits what keys use up in a day and a month; without it nothing does. */
  readonly budgets?: Budgets | undefined
  /** Keys that are made while it runs; without it there are none. */
  readonly book?: KeyBook | undefined
  /** Who may read `/metrics`. Default: everyone who may use the gateway. */
  readonly metrics?: 'auto' | 'open' | 'off'
  /** What `/readyz` waits for; without it, only for the gateway itself. */
  readonly readiness?: 'gateway' | 'upstreams'
  /** The names of models that may be labels in metrics; all others are `other`, as clients may say anything. */
  readonly labels?: Pick<ReadonlySet<string>, 'has'>
  /** Answers under way and requests in line, by upstream. */
  readonly loads?: () => ReadonlyMap<string, { readonly active: number; readonly waiting: number }>
  /** What must not be seen in a recording, wherever it is said. */
  readonly secrets?: readonly string[]
  /** Whether the log is told all that was changed. */
  readonly debug?: boolean
}

/** What a gateway is made of. */
export interface GatewayOptions extends GatewaySettings {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** Until then requests wait: a model that is about to be found must not be refused. */
  readonly ready?: Promise<void> | undefined
  /** The services as last seen, for `/readyz` and the page at `/`; undefined until then. Absent: not checked. */
  readonly services?: () => readonly ServiceCard[] | undefined
  /** Shown on the page at `/`. */
  readonly version?: string
  readonly log?: Log
  readonly clock?: Clock
  readonly createId?: (prefix: string) => string
  /** Refuses requests while there is too little memory for more. */
  readonly overload?: Pick<Overload, 'check'>
  /** What this gateway has counted, as text; together with what others have, where it is one of several. */
  readonly printFigures?: (own: readonly Family[]) => string | Promise<string>
  /** Records exchanges; without it nothing is recorded. */
  readonly traces?: TraceOptions
}

/** A server that answers at all its doors. */
export interface Gateway {
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Requests that come from now on are answered by these settings. */
  replace(settings: GatewaySettings): void
  /**
   * Takes no new connections. Requests on those it has are answered with `Connection: close`; idle ones are closed after
   * the grace. Resolves when none is left.
   */
  retire(): Promise<void>
  /** What was counted so far. */
  figures(): readonly Family[]
  /** How many requests are being answered. */
  readonly underWay: number
  /** Takes no more requests, lets those under way finish within the grace, then ends them. */
  close(): Promise<void>
}
