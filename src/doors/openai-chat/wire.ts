import type { FinishReason, Usage } from '../../protocol/event.ts'
import type { JsonObject } from '../../protocol/json.ts'
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

/**
 * The finish reason clients can live with: `tool_calls` exactly when there is a complete call and the model was not cut
 * off. Some agents ask again for ever when it is said without a call.
 */
export function toFinishReason(reason: FinishReason, completeCalls: number, manner: Manner): string {
  if (reason === 'length' || reason === 'content_filter') return reason
  if (completeCalls === 0) return 'stop'
  return manner.legacyFunctions ? 'function_call' : 'tool_calls'
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

/** The figures of several answers to one request. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  return usages.reduce((sum, usage) => {
    if (sum === undefined || usage === undefined) return sum ?? usage
    const optional = (name: 'cachedTokens' | 'reasoningTokens') =>
      sum[name] === undefined && usage[name] === undefined ? {} : { [name]: (sum[name] ?? 0) + (usage[name] ?? 0) }
    return {
      promptTokens: sum.promptTokens + usage.promptTokens,
      completionTokens: sum.completionTokens + usage.completionTokens,
      ...optional('cachedTokens'),
      ...optional('reasoningTokens'),
    }
  }, undefined)
}
