import type { Timeouts } from './deadlines.ts'
import { type GateSettings, gated } from './gate.ts'
import type { KeepSettings } from './keep.ts'
import { createOpenAiUpstream, type OpenAiSettings } from './openai.ts'
import { createPoeUpstream, type PoeSettings } from './poe.ts'
import { createQwenChatUpstream, type QwenChatSettings } from './qwen-chat/qwen-chat.ts'
import { createRehearsalUpstream, type RehearsalSettings } from './rehearsal/rehearsal.ts'
import type { Voice } from './rehearsal/voice.ts'
import { createSessions } from './sessions.ts'
import type { Upstream } from './upstream.ts'

/** What every upstream may need beside its own settings. */
export interface UpstreamContext {
  readonly timeouts: Timeouts
  /** The most an answer may say, in bytes. */
  readonly answerBytes?: number
  /** How the rehearsal model reads and writes dialects. */
  readonly voice?: Voice
  /** Where upstreams that keep conversations remember them. */
  readonly sessions?: KeepSettings
}

const inMemory: KeepSettings = { store: 'memory', ttlMs: 1_800_000 }

/** Every kind of service there is: its name in the config, its settings, how it is made. One line each. */
const kinds = {
  openai: (name: string, settings: OpenAiSettings, { timeouts, answerBytes }: UpstreamContext) =>
    createOpenAiUpstream({ ...settings, name, timeouts, answerBytes }),
  rehearsal: (name: string, settings: RehearsalSettings, { voice }: UpstreamContext) =>
    createRehearsalUpstream({ ...settings, name, voice }),
  'qwen-chat': (name: string, { mode, ...settings }: QwenChatSettings, context: UpstreamContext) =>
    createQwenChatUpstream({
      ...settings,
      name,
      timeouts: context.timeouts,
      answerBytes: context.answerBytes,
      sessions: mode === 'stateful' ? createSessions(context.sessions ?? inMemory) : undefined,
    }),
  poe: (name: string, settings: PoeSettings, { timeouts, answerBytes }: UpstreamContext) =>
    createPoeUpstream({ ...settings, name, timeouts, answerBytes }),
}

type Kinds = typeof kinds

type UpstreamKind = keyof Kinds

/** The settings of one upstream, told apart by `kind`. */
export type UpstreamSettings = {
  [Kind in UpstreamKind]: { readonly kind: Kind } & Parameters<Kinds[Kind]>[1] & GateSettings
}[UpstreamKind]

export function createUpstream(name: string, settings: UpstreamSettings, context: UpstreamContext): Upstream {
  // The table pairs each kind with its own settings, which the compiler cannot follow through the lookup.
  const create = kinds[settings.kind] as (
    name: string,
    settings: UpstreamSettings,
    context: UpstreamContext,
  ) => Upstream
  return gated(create(name, settings, context), settings)
}
