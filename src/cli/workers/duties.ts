import type { FoundService } from '../../config/sources/found.ts'
import type { ConfigFlags } from '../../config/sources/overrides.ts'
import type { Address } from '../../config/values/address.ts'
import type { Family } from '../../server/metrics/families.ts'
import type { Allowance, Measure, Standing } from '../../server/quota/quota.ts'
import type { KeepLimits } from '../../upstreams/keep.ts'
import type { Service, SharedTraces } from '../compose/service.ts'

/** All that a worker needs to serve as the others do. */
export interface Briefing {
  /** Its place among the workers, from 1. */
  readonly number: number
  /** Where the supervisor accepts connections. */
  readonly address: Address
  readonly flags: ConfigFlags
  /** The config file as the supervisor has read it, so that all workers go by the same text. */
  readonly file: { readonly path: string; readonly text: string } | undefined
  readonly found: readonly FoundService[]
  readonly traces: SharedTraces
}

/** Why a worker asks to be replaced. */
export type Reason = 'memory' | 'signal' | 'crash'

/** What every worker does for the supervisor. */
export type WorkerDuties = {
  /** Begins to serve; gives back where clients connect. */
  start(briefing: Briefing): Promise<Service['entrances']>
  /** New requests go by this. */
  takeUp(briefing: Briefing): void
  services(withinMs: number): Promise<Service['seen']>
  seen(): Service['seen']
  underWay(): number | Promise<number>
  figures(): readonly Family[]
  /** Answers all it has, and ends when its last connection has. */
  retire(): void
  /** Ends as a gateway that stops does. */
  close(): void
}

export type GateName = readonly [name: string, concurrency: number, queue: number, waitMs: number]

/** A request that was let in has a number, under which it is given back. */
export type Granted =
  | { readonly lease: number; readonly standing: Standing }
  | {
      readonly lease?: undefined
      readonly standing: Standing
      readonly measure: Measure
      readonly waitMs: number
    }

/** What the supervisor does for every worker: it keeps what all of them share. */
export type SupervisorDuties = {
  admit(key: string, allowance: Allowance, tokens: number): Promise<Granted>
  release(lease: number, tokens: number | undefined): void
  /** Resolves when it is this one's turn at a model server, with how many were before. */
  enter(gate: GateName, pass: number): Promise<number>
  leave(pass: number): void
  /** It waits no longer. */
  giveUp(pass: number): void
  recall(namespace: string, key: string): string | undefined
  remember(namespace: string, limits: KeepLimits, key: string, value: string, ttlMs: number | undefined): void
  forget(namespace: string, key: string): boolean
  /** The figures of all workers as text, out of what this one has and the others tell. */
  printFigures(own: readonly Family[]): Promise<string>
  /** It can go on only for a while. */
  replaceMe(reason: Reason): void
  /** Its last figures, before it ends. */
  farewell(figures: readonly Family[]): void
}
