import type { FoundService } from '../../config/sources/found.ts'
import type { ConfigFlags } from '../../config/sources/overrides.ts'
import type { Family } from '../../server/metrics/registry.ts'
import type { Service, SharedTraces } from '../compose/service.ts'
import type { SharedCalls } from './shared.ts'

/** What a supervisor and its workers ask of each other. */

/** All that a worker needs to serve as the others do. */
export interface Briefing {
  /** Its place among the workers, from 1. */
  readonly number: number
  readonly port: number
  readonly flags: ConfigFlags
  /** The config file as the supervisor has read it, so that all workers go by the same text. */
  readonly file: { readonly path: string; readonly text: string } | undefined
  readonly found: readonly FoundService[]
  readonly traces: SharedTraces
}

export type WorkerCalls = {
  /** Resolves when it serves. */
  start(briefing: Briefing): Promise<void>
  /** New requests go by this. */
  takeUp(briefing: Briefing): void
  services(withinMs: number): Promise<Service['seen']>
  underWay(): number | Promise<number>
  figures(): readonly Family[]
  /** Answers what comes on the connections it has, and ends with the last of them. */
  retire(): void
  close(): void
}

/** Why a worker asks to be replaced. */
export type Reason = 'memory' | 'signal' | 'crash'

export type SupervisorCalls = SharedCalls & {
  /** The figures of all workers as text. */
  printFigures(own: readonly Family[]): Promise<string>
  replaceMe(reason: Reason): void
  report(figures: readonly Family[], seen: Service['seen']): void
}
