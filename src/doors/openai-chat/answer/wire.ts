import type { FinishReason, Usage } from '../../../protocol/event.ts'
import { finishReason } from '../../../protocol/finish.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Quirks } from './quirks.ts'

/** What every piece of one answer repeats. */
export interface Identity {
  readonly id: string
  readonly created: number
  readonly model: string
}

/** How this client wants to be answered. */
export interface Manner {
  readonly includeUsage: boolean
  readonly legacyFunctions: boolean
  /** Names of the tools that take free text. */
  readonly customTools: ReadonlySet<string>
  readonly quirks: Quirks
}

/** The reason in this door's words. Whoever made the events, a call that is there is told and none that is not. */
export function toFinishReason(reason: FinishReason, completeCalls: number, manner: Manner): string {
  const settled = finishReason(reason, completeCalls, true)
  return settled === 'tool_calls' && manner.legacyFunctions ? 'function_call' : settled
}

export function toUsage(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}
