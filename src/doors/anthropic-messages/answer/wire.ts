import type { FinishReason, Usage } from '../../../protocol/event.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { CallMetadata } from '../kept/call-metadata.ts'
import type { Names } from '../names.ts'

/** What every piece of one answer is made of. */
export interface Identity {
  readonly id: string
  /** As the client asked for it. */
  readonly model: string
}

/** How this client wants to be answered. */
export interface Manner {
  /** Thoughts are for whoever asked for them. */
  readonly showsThoughts: boolean
  /** Fewer tokens were asked for than the client allowed, because its context has no room for more. */
  readonly isFull: boolean
  readonly names: Names
  readonly callMetadata: CallMetadata
}

/** How an answer ended. */
export interface Ending {
  readonly reason: FinishReason
  readonly stop: string | undefined
  readonly completeCalls: number
  readonly isRefusal: boolean
}

type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal' | 'model_context_window_exceeded'

function toStopReason({ reason, stop, completeCalls, isRefusal }: Ending, { isFull }: Manner): StopReason {
  if (reason === 'length') return isFull ? 'model_context_window_exceeded' : 'max_tokens'
  if (reason === 'content_filter') return 'refusal'
  if (completeCalls > 0) return 'tool_use'
  if (isRefusal) return 'refusal'
  return stop === undefined ? 'end_turn' : 'stop_sequence'
}

/** Why an answer ended, as both a stream and a whole message say it. */
export function toStop(ending: Ending, manner: Manner): JsonObject {
  const reason = toStopReason(ending, manner)
  return { stop_reason: reason, stop_sequence: reason === 'stop_sequence' ? (ending.stop ?? null) : null }
}

export function toUsage(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage
  return {
    input_tokens: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    output_tokens: completionTokens,
  }
}

/** Of an answer that told no figures. */
export const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }
