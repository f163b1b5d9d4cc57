import type { Timeouts } from './deadlines.ts'
import type { SessionSettings } from './sessions.ts'
import type { Upstream } from './upstream.ts'

/** What every upstream may need beside its own settings. */
export interface UpstreamContext {
  readonly timeouts: Timeouts
  /** The most an answer may say, in bytes. */
  readonly answerBytes?: number
  /** The largest event of a stream, in characters. */
  readonly eventBytes?: number
  /** How long a request may wait in line. */
  readonly queueMs?: number
  /** Where upstreams that keep conversations remember them. */
  readonly sessions?: SessionSettings
}

/** A kind of service, by its name in the config. */
export interface Kind<Name extends string, Settings> {
  readonly kind: Name
  create(name: string, settings: Settings, context: UpstreamContext): Upstream
}

export function defineKind<const Name extends string, Settings>(kind: Kind<Name, Settings>): Kind<Name, Settings> {
  return kind
}
