import type { Timeouts } from './deadlines.ts'
import { createOpenAiUpstream, type OpenAiSettings } from './openai.ts'
import { createRehearsalUpstream, type RehearsalSettings } from './rehearsal/rehearsal.ts'
import type { Voice } from './rehearsal/voice.ts'
import type { Upstream } from './upstream.ts'

/** What every upstream may need beside its own settings. */
export interface UpstreamContext {
  readonly timeouts: Timeouts
  /** How the rehearsal model reads and writes dialects. */
  readonly voice?: Voice
}

/** Every kind of service there is: its name in the config, its settings, how it is made. One line each. */
const kinds = {
  openai: (name: string, settings: OpenAiSettings, { timeouts }: UpstreamContext) =>
    createOpenAiUpstream({ ...settings, name, timeouts }),
  rehearsal: (name: string, settings: RehearsalSettings, { voice }: UpstreamContext) =>
    createRehearsalUpstream({ ...settings, name, voice }),
}

type Kinds = typeof kinds

type UpstreamKind = keyof Kinds

/** The settings of one upstream, told apart by `kind`. */
export type UpstreamSettings = {
  [Kind in UpstreamKind]: { readonly kind: Kind } & Parameters<Kinds[Kind]>[1]
}[UpstreamKind]

export function createUpstream(name: string, settings: UpstreamSettings, context: UpstreamContext): Upstream {
  // The table pairs each kind with its own settings, which the compiler cannot follow through the lookup.
  const create = kinds[settings.kind] as (
    name: string,
    settings: UpstreamSettings,
    context: UpstreamContext,
  ) => Upstream
  return create(name, settings, context)
}
