import { type Gated, type GateSettings, gated } from './gate.ts'
import type { Kind, UpstreamContext } from './kind.ts'
import { openAi } from './openai/kind.ts'
import { poe } from './poe/kind.ts'
import { qwenChat } from './qwen-chat/kind.ts'

/** Every kind of service there is. One line each. */
export const kinds = [openAi, qwenChat, poe] as const

/** The settings of an upstream of one of these kinds, told apart by `kind`. */
export type UpstreamSettings<Known = (typeof kinds)[number]> =
  Known extends Kind<infer Name, infer Settings> ? { readonly kind: Name } & Settings & GateSettings : never

/** An upstream of the kind its settings name, out of those handed in. */
export function createUpstream<Settings extends { readonly kind: string } & GateSettings>(
  name: string,
  settings: Settings,
  context: UpstreamContext,
  known: readonly Kind<string, object>[] = kinds,
): Gated {
  const found = known.find(({ kind }) => kind === settings.kind)
  if (found === undefined) throw new TypeError(`Unknown kind of upstream: "${settings.kind}".`)
  return gated(found.create(name, settings, context), settings, Date.now, context.timeouts.queueMs, context.gate)
}
